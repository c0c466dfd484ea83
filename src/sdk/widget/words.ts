/** The widget's own texts. */
export interface Words {
  readonly next: string;
  readonly back: string;
  readonly send: string;
  readonly sending: string;
  readonly close: string;
  readonly thanks: string;
  readonly over: string;
  readonly failed: string;
  readonly required: string;
  readonly invalid: string;
  readonly optional: string;
  readonly yes: string;
  readonly no: string;
  readonly opened: string;
  /** Labels of the lowest and highest value, for kinds with a fixed scale. */
  readonly ends: {
    readonly nps: readonly [string, string];
    readonly csat: readonly [string, string];
    readonly likert: readonly [string, string];
  };
}

/** A page's own texts in place of the widget's. */
export type GivenWords = Partial<Omit<Words, 'ends'>> & { readonly ends?: Partial<Words['ends']> };
