import { Max, Min } from 'class-validator';
import { Args, ArgsType, Field, FieldResolver, Int, Resolver, Root } from 'type-graphql';
import { textArray } from '../../kernel/database/text-array.js';
import { loader, Operation, type OperationContext } from '../../kernel/verb-context.js';
import { authorize } from '../access/guard.js';
import { CrashIssue } from '../catch/issues/crash-issue.entity.js';
import { FlagVersion } from '../switch/flags/flag-version.entity.js';

const MOST_HOURS = 168;
const MOST_CHANGES = 20;

@ArgsType()
class SuspectFlagArgs {
  @Field(() => Int, { defaultValue: 24, description: 'How many hours before the first event, 168 at most.' })
  @Min(1)
  @Max(MOST_HOURS)
  hours!: number;
}

interface Asked {
  issue: CrashIssue;
  hours: number;
}

const SUSPECTS = Symbol('changes of flags before issues');

@Resolver(() => CrashIssue)
export class SuspectFlagEdges {
  @FieldResolver(() => [FlagVersion], {
    nullable: true,
    description: 'Flag changes in its environment shortly before it was first seen, latest first; 20 at most.',
  })
  async suspectFlagChanges(
    @Operation() operation: OperationContext,
    @Root() issue: CrashIssue,
    @Args() { hours }: SuspectFlagArgs,
  ): Promise<FlagVersion[]> {
    await authorize(operation.current, 'switch.flag.view', issue.projectId);
    const changes = loader(
      operation,
      SUSPECTS,
      (all: readonly Asked[]) => readChanges(operation, all),
      (key) => `${key.issue.id} ${key.hours}`,
    );
    return changes.load({ issue, hours });
  }
}

async function readChanges({ current }: OperationContext, all: readonly Asked[]): Promise<FlagVersion[][]> {
  const rows = await current.em.execute<{ place: number; id: string }[]>(
    `select i.place::int as place, c.id from unnest(?::uuid[], ?::text[], ?::timestamptz[], ?::int[])
         with ordinality as i(project_id, environment, seen_at, hours, place)
       cross join lateral (
         select v.id, v.created_at from flag f join flag_version v on v.flag_id = f.id
          where f.project_id = i.project_id and f.environment = i.environment
            and f.updated_at >= i.seen_at - make_interval(hours => i.hours)
            and v.created_at >= i.seen_at - make_interval(hours => i.hours) and v.created_at <= i.seen_at
          order by v.created_at desc limit ?) c
      order by i.place, c.created_at desc`,
    [
      textArray(all.map(({ issue }) => issue.projectId)),
      textArray(all.map(({ issue }) => issue.environment)),
      textArray(all.map(({ issue }) => issue.firstSeenAt.toISOString())),
      textArray(all.map(({ hours }) => String(hours))),
      MOST_CHANGES,
    ],
  );
  const versions = await current.em.find(FlagVersion, { id: { $in: rows.map(({ id }) => id) } });
  const byId = new Map(versions.map((version) => [version.id, version]));
  const byPlace = Map.groupBy(rows, ({ place }) => place);
  return all.map((_, at) => (byPlace.get(at + 1) ?? []).flatMap(({ id }) => byId.get(id) ?? []));
}
