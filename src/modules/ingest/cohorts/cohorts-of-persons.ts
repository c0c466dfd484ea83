import type DataLoader from 'dataloader';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { Subject } from '../../../targeting/subject.js';
import type { Person } from '../people/person.entity.js';
import { personIdsLoader } from '../people/person-loaders.js';
import { Cohort } from './cohort.entity.js';
import { compileCohorts } from './compiled-cohorts.js';

const COHORTS = Symbol('cohorts of persons');

/**
 * Loads the names of the cohorts that each person of an operation is in, based on stored data. Rules see the oldest id, and no request
 * data.
 */
export function cohortsOfPersonLoader(operation: OperationContext): DataLoader<Person, Cohort[], string> {
  return loader(
    operation,
    COHORTS,
    (persons: readonly Person[]) => cohortsOf(operation, persons),
    ({ id }) => id,
  );
}

async function cohortsOf(operation: OperationContext, persons: readonly Person[]): Promise<Cohort[][]> {
  const { current } = operation;
  const projectIds = [...new Set(persons.map(({ projectId }) => projectId))];
  const cohorts = await current.em.find(
    Cohort,
    { projectId: { $in: projectIds } },
    { orderBy: { name: 'asc', id: 'asc' } },
  );
  const byProject = Map.groupBy(cohorts, ({ projectId }) => projectId);
  const compiled = new Map(
    projectIds.map((id) => [
      id,
      compileCohorts((byProject.get(id) ?? []).map(({ distinctIds: ids, ...cohort }) => ({ ...cohort, ids }))),
    ]),
  );
  const allIds = await Promise.all(persons.map(({ id }) => personIdsLoader(operation).load(id)));
  return persons.map(({ projectId, properties: stored }, index) => {
    const own = compiled.get(projectId);
    const ids = allIds[index] ?? [];
    const properties = new Map(Object.entries(stored));
    const subject = new Subject({
      distinctId: ids[0] ?? null,
      properties,
      cohorts: own?.of(properties, ids) ?? [],
      memberships: own?.byRules ?? [],
      now: current.now().getTime(),
    });
    return (byProject.get(projectId) ?? []).filter(({ name }) => subject.cohorts.has(name));
  });
}
