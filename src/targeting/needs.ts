/** The stored data about a person that a decision may need. */
export interface Needs {
  readonly properties: readonly string[];
  readonly cohorts: boolean;
}

export const NO_NEEDS: Needs = { properties: [], cohorts: false };

/** The combined needs of several decisions; keys sorted, each once. */
export function joinNeeds(all: readonly Needs[]): Needs {
  const properties = [...new Set(all.flatMap((needs) => needs.properties))].sort();
  const cohorts = all.some((needs) => needs.cohorts);
  return cohorts || properties.length > 0 ? { properties, cohorts } : NO_NEEDS;
}

export const isPersonal = ({ properties, cohorts }: Needs): boolean => cohorts || properties.length > 0;
