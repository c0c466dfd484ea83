import type { EntityManager } from '@mikro-orm/postgresql';
import type { ProjectEnvironment } from '../../../kernel/actor.js';

export interface IdsOfPersons extends ProjectEnvironment {
  distinctIds: string[];
}

/** All ids of these persons, in these projects or in every one that a person is in. */
export function readIdsOfPersons(
  em: EntityManager,
  personIds: readonly string[],
  projectIds: readonly string[] | null,
): Promise<IdsOfPersons[]> {
  const [within, values] = projectIds ? [' and project_id = any(array[?]::uuid[])', [[...projectIds]]] : ['', []];
  return em.execute<IdsOfPersons[]>(
    `select project_id as "projectId", environment, array_agg(distinct_id) as "distinctIds" from person_id
      where person_id = any(array[?])${within} group by project_id, environment`,
    [[...personIds], ...values],
  );
}
