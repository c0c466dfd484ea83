import { CohortNamesDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useChoices } from '../parts/fields/use-choices.js';

/** The names of cohorts to choose from, while `isAsked`: properties of a field that suggests them. */
export function useCohorts(isAsked: boolean): { data: string[]; onSearchChange: (typed: string) => void } {
  const { projectId } = useScope();
  const { rows, search } = useChoices(CohortNamesDocument, { projectId }, ({ cohorts }) => cohorts, {
    pause: !isAsked,
  });
  return { data: isAsked ? rows.map(({ name }) => name) : [], onSearchChange: search };
}
