import type { EntityManager } from '@mikro-orm/postgresql';
import type DataLoader from 'dataloader';
import type { Environment } from '../../../kernel/actor.js';
import type { Statement } from '../../../kernel/context.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { Flag } from './flag.entity.js';

const NEEDING = Symbol('flags that need flags');

interface Place {
  readonly projectId: string;
  readonly environment: Environment;
}

interface FlagKey extends Place {
  readonly key: string;
}

/** Loads the keys of the flags in use that ask for each flag of an operation, in order. */
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

/** A flag as the function `flag_needs` names it in what others ask for. */
const termOf = ({ projectId, environment, key }: FlagKey): string => `${projectId} ${environment} ${key}`;

/** All that ask for one of the flags are found by one look at the index `flag_needed_index`. */
const NEEDING_FLAGS: Statement = {
  name: 'flags-that-need-flags',
  text: `select distinct needed.place, f.key
           from flag f
           cross join lateral unnest(flag_needs(f.project_id, f.environment, f.prerequisites)) asked(term)
           join unnest($1::text[]) with ordinality as needed(term, place) on needed.term = asked.term
          where not f.is_archived and json_array_length(f.prerequisites) > 0
            and flag_needs(f.project_id, f.environment, f.prerequisites) && $1::text[]
          order by f.key`,
};

/** The flags in use of some environments that ask for others, by key. */
export async function askingFlags(em: EntityManager, places: readonly Place[]): Promise<Flag[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from flag where not is_archived and json_array_length(prerequisites) > 0
        and (project_id, environment) in (${places.map(() => '(?::uuid, ?)').join(', ')})`,
    places.flatMap(({ projectId, environment }) => [projectId, environment]),
  );
  return em.find(Flag, { id: { $in: rows.map(({ id }) => id) } }, { orderBy: { key: 'asc' } });
}
