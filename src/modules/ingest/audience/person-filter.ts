/** A condition in SQL on a person `p`; its values are `$4` and following. */
export interface PersonFilter {
  readonly sql: string;
  readonly values: readonly unknown[];
}

export const EVERYONE: PersonFilter = { sql: 'true', values: [] };
