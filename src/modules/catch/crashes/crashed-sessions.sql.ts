import type { ProjectEnvironment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';

/** Sessions that started within a UTC day with a release and have had a fatal crash event since. */
export interface CrashedSessions {
  /** Start of the day, in Unix milliseconds. */
  day: number;
  /** `''` if the client didn't say. */
  release: string;
  count: number;
}

const CRASHED = {
  name: 'crashed_sessions',
  text: `
select (extract(epoch from date_trunc('day', started_at, 'UTC')) * 1000)::float8 as day, release, count(*)::float8 as count
  from crashed_session where project_id = $1 and environment = $2 and started_at >= $3 and started_at < $4
 group by date_trunc('day', started_at, 'UTC'), release`,
};

/** Sessions that started between two instants and have crashed since, by day and release. */
export function crashedSessions(
  ctx: Context,
  place: ProjectEnvironment,
  { from, to }: { from: Date; to: Date },
): Promise<CrashedSessions[]> {
  return ctx.rows<CrashedSessions>(CRASHED, [place.projectId, place.environment, from, to]);
}
