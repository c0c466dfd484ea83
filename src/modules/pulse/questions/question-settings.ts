/** The question fields that only some kinds support (docs/rest.md, Surveys). */
export interface QuestionSettings {
  readonly options: readonly string[] | null;
  readonly scaleMin: number | null;
  readonly scaleMax: number | null;
  /** In Unicode code points. */
  readonly maxLength: number | null;
}
