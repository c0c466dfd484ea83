/** What is stored about a person that a decision may ask for. */
export interface Needs {
  /** Keys of properties. */
  readonly properties: readonly string[];
  readonly cohorts: boolean;
}

export const NO_NEEDS: Needs = { properties: [], cohorts: false };

/** What several decisions may ask for together; keys in order, each once. */
export function joinNeeds(all: readonly Needs[]): Needs {
  const properties = [...new Set(all.flatMap((needs) => needs.properties))].sort();
  const cohorts = all.some((needs) => needs.cohorts);
  return cohorts || properties.length > 0 ? { properties, cohorts } : NO_NEEDS;
}

/** Whether anything that is stored about a person is asked for. */
export const isPersonal = ({ properties, cohorts }: Needs): boolean => cohorts || properties.length > 0;
