import type { EntityDictionary } from '@mikro-orm/core';
import type DataLoader from 'dataloader';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { Person } from './person.entity.js';
import { PersonMerge } from './person-merge.entity.js';

const PERSONS = Symbol('persons by distinct id');
const IDS = Symbol('ids of persons');
const MERGES = Symbol('merges of persons');

interface PersonKey extends ProjectEnvironment {
  distinctId: string;
}

const keyOf = ({ projectId, environment, distinctId }: PersonKey): string =>
  `${projectId} ${environment} ${distinctId}`;

/** Loads the persons behind the ids of an operation's events in two statements. */
export function personLoader(operation: OperationContext): DataLoader<PersonKey, Person | null, string> {
  return loader(
    operation,
    PERSONS,
    async (keys: readonly PersonKey[]) => {
      const { em } = operation.current;
      const found = await em.execute<(PersonKey & { personId: string })[]>(
        `select project_id as "projectId", environment, distinct_id as "distinctId", person_id as "personId" from person_id
          where (project_id, environment, distinct_id) in (${keys.map(() => '(?::uuid, ?, ?)').join(', ')})`,
        keys.flatMap(({ projectId, environment, distinctId }) => [projectId, environment, distinctId]),
      );
      const persons = await em.find(Person, { id: { $in: [...new Set(found.map(({ personId }) => personId))] } });
      const byId = new Map(persons.map((person) => [person.id, person]));
      const byKey = new Map(found.map((row) => [keyOf(row), byId.get(row.personId) ?? null]));
      return keys.map((key) => byKey.get(keyOf(key)) ?? null);
    },
    keyOf,
  );
}

export function personIdsLoader(operation: OperationContext): DataLoader<string, string[]> {
  return loader(operation, IDS, async (personIds: readonly string[]) => {
    const rows = await operation.current.em.execute<{ person_id: string; distinct_id: string }[]>(
      'select person_id, distinct_id from person_id where person_id = any(array[?]) order by created_at, distinct_id',
      [[...personIds]],
    );
    const byPerson = Map.groupBy(rows, (row) => row.person_id);
    return personIds.map((id) => (byPerson.get(id) ?? []).map((row) => row.distinct_id));
  });
}

/** Loads the merges that made each person of an operation, newest first. */
export function personMergesLoader(operation: OperationContext): DataLoader<string, PersonMerge[]> {
  return loader(operation, MERGES, async (personIds: readonly string[]) => {
    const { em } = operation.current;
    const rows = await em.execute<(EntityDictionary<PersonMerge> & { owner: string })[]>(
      `select m.*, i.person_id as owner from person_id i
         join person_merge m on m.project_id = i.project_id and m.environment = i.environment and m.alias_id = i.distinct_id
        where i.person_id = any(array[?]) order by m.merged_at desc, m.id desc`,
      [[...personIds]],
    );
    const byPerson = Map.groupBy(rows, (row) => row.owner);
    return personIds.map((id) => (byPerson.get(id) ?? []).map((row) => em.map(PersonMerge, row)));
  });
}
