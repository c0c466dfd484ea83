/** What the widget itself says. */
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
  /** Lowest and highest, of kinds whose scale means the same everywhere. */
  readonly ends: {
    readonly nps: readonly [string, string];
    readonly csat: readonly [string, string];
    readonly likert: readonly [string, string];
  };
}

/** Words of a page's own in place of the widget's. */
export type GivenWords = Partial<Omit<Words, 'ends'>> & { readonly ends?: Partial<Words['ends']> };
