import type { EntityManager } from '@mikro-orm/postgresql';
import type DataLoader from 'dataloader';
import type { Environment } from '../../../kernel/actor.js';
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

const placeOf = ({ projectId, environment }: Place): string => `${projectId} ${environment}`;

/** Loads the keys of the flags in use that ask for each flag of an operation. */
export function needingFlagsLoader(operation: OperationContext): DataLoader<FlagKey, string[], string> {
  return loader(
    operation,
    NEEDING,
    async (flags: readonly FlagKey[]) => {
      const places = [...new Map(flags.map((flag) => [placeOf(flag), flag])).values()];
      const asking = await askingFlags(operation.current.em, places);
      return flags.map((flag) =>
        asking
          .filter((other) => placeOf(other) === placeOf(flag))
          .filter(({ prerequisites }) => prerequisites.some(({ key }) => key === flag.key))
          .map(({ key }) => key),
      );
    },
    (flag) => `${placeOf(flag)} ${flag.key}`,
  );
}

/** The flags in use of some environments that ask for others, by key. */
export async function askingFlags(em: EntityManager, places: readonly Place[]): Promise<Flag[]> {
  const rows = await em.execute<{ id: string }[]>(
    `select id from flag where not is_archived and json_array_length(prerequisites) > 0
        and (project_id, environment) in (${places.map(() => '(?::uuid, ?)').join(', ')})`,
    places.flatMap(({ projectId, environment }) => [projectId, environment]),
  );
  return em.find(Flag, { id: { $in: rows.map(({ id }) => id) } }, { orderBy: { key: 'asc' } });
}
