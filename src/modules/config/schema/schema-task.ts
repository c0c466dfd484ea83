export interface SchemaTask {
  /** JSON text of a JSON Schema. */
  schema: string;
  /** JSON texts of the values that must satisfy it. */
  values: readonly string[];
}

/** Why a schema is unusable, and where, as `#` and a JSON pointer. */
export interface SchemaFault {
  place: string;
  problem: string;
}

/** One step for the schema, then one for each value. */
export type SchemaOutcome =
  | { verdict: 'passed' }
  | { verdict: 'violated'; value: number; problems: string[] }
  | ({ verdict: 'unusable' } & SchemaFault);

export class UnusableSchema extends Error {
  constructor(readonly fault: SchemaFault) {
    super(fault.problem);
  }
}
