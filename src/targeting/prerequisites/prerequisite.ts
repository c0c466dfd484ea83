/** What a flag asks of another: that it serves one of these variants. Else the asking flag serves its default. */
export interface Prerequisite {
  /** Key of a flag of the same environment. */
  readonly key: string;
  readonly variants: readonly string[];
}

/** Something with a key that may ask for others. */
export interface Needing {
  readonly key: string;
  readonly prerequisites?: readonly Prerequisite[] | undefined;
}
