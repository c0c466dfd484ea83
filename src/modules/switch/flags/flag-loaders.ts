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
      const columns = [flags.map((flag) => flag.projectId), flags.map((flag) => flag.environment)];
      const rows = await operation.current.rows<{ place: string; key: string }>(NEEDING_FLAGS, [
        ...columns,
        flags.map((flag) => flag.key),
      ]);
      const byPlace = Map.groupBy(rows, ({ place }) => Number(place) - 1);
      return flags.map((_, index) => (byPlace.get(index) ?? []).map(({ key }) => key));
    },
    (flag) => `${flag.projectId} ${flag.environment} ${flag.key}`,
  );
}

/** Reads the flags that ask once, however many are looked at; `materialized` keeps the planner from reading them for each. */
const NEEDING_FLAGS: Statement = {
  name: 'flags-that-need-flags',
  text: `with asked as materialized (
           select f.project_id, f.environment, f.key, prerequisite ->> 'key' as needed
             from (select distinct * from unnest($1::uuid[], $2::text[])) place(project_id, environment)
             join flag f on f.project_id = place.project_id and f.environment = place.environment
              and not f.is_archived and json_array_length(f.prerequisites) > 0
            cross join lateral json_array_elements(f.prerequisites) prerequisite
         )
         select distinct needed.place, asked.key
           from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as needed(project_id, environment, key, place)
           join asked on asked.project_id = needed.project_id and asked.environment = needed.environment
            and asked.needed = needed.key
          order by asked.key`,
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
