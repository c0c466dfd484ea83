import type { EntityManager } from '@mikro-orm/postgresql';
import type DataLoader from 'dataloader';
import type { ProjectEnvironment } from '../../../kernel/actor.js';
import type { Statement } from '../../../kernel/context.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { idLoader } from '../../access/graph/id-loader.js';
import { visibleNode } from '../../access/visible-node.js';
import { Flag } from './flag.entity.js';

const NEEDING = Symbol('flags that need flags');
const NAMED = Symbol('flags by key');

interface FlagKey extends ProjectEnvironment {
  readonly key: string;
}

/** Loads the keys of the active flags that depend on each flag of an operation, in order. */
export function needingFlagsLoader(operation: OperationContext): DataLoader<FlagKey, string[], string> {
  return loader(
    operation,
    NEEDING,
    async (flags: readonly FlagKey[]) => {
      const rows = await operation.current.rows<{ place: string; key: string }>(NEEDING_FLAGS, [flags.map(termOf)]);
      const byPlace = Map.groupBy(rows, ({ place }) => Number(place) - 1);
      return flags.map((_, index) => (byPlace.get(index) ?? []).map(({ key }) => key));
    },
    termOf,
  );
}

/** A flag as named by the function `flag_needs` in other flags' dependencies. */
const termOf = ({ projectId, environment, key }: FlagKey): string => `${projectId} ${environment} ${key}`;

/** All flags that depend on one of these are found with one lookup in the index `flag_needed_index`. */
const NEEDING_FLAGS: Statement = {
  name: 'flags-that-need-flags',
  text: `select distinct needed.place, f.key
           from flag f
           cross join lateral unnest(flag_needs(f.project_id, f.environment, f.prerequisites)) need(term)
           join unnest($1::text[]) with ordinality as needed(term, place) on needed.term = need.term
          where not f.is_archived and json_array_length(f.prerequisites) > 0
            and flag_needs(f.project_id, f.environment, f.prerequisites) && $1::text[]
          order by f.key`,
};

const BY_KEY: Statement = {
  name: 'flags-by-key',
  text: `select named.place, f.id
           from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as named(project_id, environment, key, place)
           join flag f using (project_id, environment, key)`,
};

/** The flag with this key, in an environment of a project; null if there is none that the caller may see. */
export async function flagNamed(
  operation: OperationContext,
  { projectId, environment, key }: FlagKey,
): Promise<Flag | null> {
  const id = await idLoader(operation, NAMED, BY_KEY).load([projectId, environment, key]);
  return visibleNode(operation.current, Flag, id);
}

/** The active flags in some environments that depend on others, by key. */
export async function dependentFlags(em: EntityManager, places: readonly ProjectEnvironment[]): Promise<Flag[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from flag where not is_archived and json_array_length(prerequisites) > 0
        and (project_id, environment) in (${places.map(() => '(?::uuid, ?)').join(', ')})`,
    places.flatMap(({ projectId, environment }) => [projectId, environment]),
  );
  return em.find(Flag, { id: { $in: rows.map(({ id }) => id) } }, { orderBy: { key: 'asc' } });
}
