import { Max, Min } from 'class-validator';
import { Args, ArgsType, Field, Int, Query, Resolver } from 'type-graphql';
import type { ProjectEnvironment } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import { DAY_MS } from '../../kernel/values/durations.js';
import { VerbContext } from '../../kernel/verb-context.js';
import { authorize } from '../access/guard.js';
import { EnvironmentInput } from '../access/ids.inputs.js';
import { type CrashedSessions, crashedSessions } from '../catch/crashes/crashed-sessions.sql.js';
import { type StartedSessions, startedSessions } from '../ingest/hours/started-sessions.js';
import { CrashFreeSessions } from './crash-free-sessions.types.js';

const MOST_DAYS = 90;
const MOST_RELEASES = 100;

@ArgsType()
class CrashFreeSessionsArgs extends EnvironmentInput {
  @Field(() => Int, { defaultValue: 14, description: 'Number of UTC days including today, 90 at most.' })
  @Min(1)
  @Max(MOST_DAYS)
  days!: number;
}

@Resolver()
export class CrashFreeSessionsResolver {
  @Query(() => CrashFreeSessions, {
    description: 'How many sessions had no fatal crash event, by release and by the day they started.',
  })
  async crashFreeSessions(
    @VerbContext() ctx: Context,
    @Args() { projectId, environment, days }: CrashFreeSessionsArgs,
  ): Promise<CrashFreeSessions> {
    const { id } = await authorize(ctx, 'catch.crash.view', projectId);
    const to = (Math.floor(ctx.now().getTime() / DAY_MS) + 1) * DAY_MS;
    const [place, span] = [
      { projectId: id, environment },
      { from: new Date(to - days * DAY_MS), to: new Date(to) },
    ];
    const [started, crashed] = await Promise.all([
      startedSessions(ctx, place, span),
      crashedSessions(ctx, place, span),
    ]);
    return healthOf(place, started, crashed, span.from.getTime(), days);
  }
}

function healthOf(
  place: ProjectEnvironment,
  started: readonly StartedSessions[],
  crashed: readonly CrashedSessions[],
  from: number,
  days: number,
): CrashFreeSessions {
  const ofRelease = [...new Set(started.map(({ release }) => release))].map((release) => ({
    ...place,
    release: release === '' ? null : release,
    ...shares(
      started.filter((one) => one.release === release),
      crashed.filter((one) => one.release === release),
    ),
  }));
  return {
    ...shares(started, crashed),
    days: Array.from({ length: days }, (_, index) => {
      const at = from + index * DAY_MS;
      const { sessions, crashed: some } = shares(
        started.filter(({ day }) => day === at),
        crashed.filter(({ day }) => day === at),
      );
      return { at: new Date(at), sessions, crashed: some };
    }),
    releases: ofRelease.sort((a, b) => b.sessions - a.sessions).slice(0, MOST_RELEASES),
  };
}

/** A session whose start was lost, for example because of a quota, isn't counted as crashed either. */
function shares(started: readonly { count: number }[], crashed: readonly { count: number }[]) {
  const sessions = sumOf(started);
  const some = Math.min(sumOf(crashed), sessions);
  return { sessions, crashed: some, crashFree: sessions === 0 ? null : 1 - some / sessions };
}

const sumOf = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);
