/** Requires another flag to serve one of these variants; otherwise the dependent flag serves its default. */
export interface Prerequisite {
  /** Key of a flag in the same environment. */
  readonly key: string;
  readonly variants: readonly string[];
}

/** Something with a key that can have prerequisites. */
export interface Dependent {
  readonly key: string;
  readonly prerequisites?: readonly Prerequisite[] | undefined;
}
