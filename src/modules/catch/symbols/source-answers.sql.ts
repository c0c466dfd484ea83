import type { EntityManager } from '@mikro-orm/postgresql';
import type { Environment, ProjectEnvironment } from '../../../kernel/actor.js';
import { textArray } from '../../../kernel/database/text-array.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../kernel/values/durations.js';

/** A source's answer about an image: it has it, it doesn't, or it couldn't be reached. */
export type SourceOutcome = 'found' | 'absent' | 'failed';

/** How long an answer is valid. A source that couldn't be reached is asked again within the hour. */
const HELD_MS: Record<SourceOutcome | 'asked', number> = {
  found: DAY_MS,
  absent: DAY_MS,
  failed: HOUR_MS,
  asked: 20 * MINUTE_MS,
};

const expiry = (outcome: keyof typeof HELD_MS, now: Date): Date => new Date(now.getTime() + HELD_MS[outcome]);

/**
 * Records that the project's sources are about to be asked for these images.
 *
 * @returns the keys that some source hasn't been asked for yet
 */
export async function recordRequests(
  em: EntityManager,
  place: ProjectEnvironment,
  keys: readonly string[],
  now: Date,
): Promise<Set<string>> {
  const rows = await em.execute<{ key: string }[]>(
    `insert into symbol_source_answer (source_id, environment, key, outcome, expires_at)
     select s.id, ?, w.key, 'asked', ?::timestamptz from symbol_source s, unnest(?::text[]) as w(key)
      where s.project_id = ? and s.is_enabled
     on conflict (source_id, environment, key) do update set outcome = 'asked', expires_at = excluded.expires_at
      where symbol_source_answer.expires_at <= ?
     returning key`,
    [place.environment, expiry('asked', now), textArray([...keys]), place.projectId, now],
  );
  return new Set(rows.map(({ key }) => key));
}

/** Whether a source must be asked for an image: it hasn't been, or its answer has expired. */
export async function isUnanswered(
  em: EntityManager,
  sourceId: string,
  environment: Environment,
  key: string,
  now: Date,
): Promise<boolean> {
  const rows = await em.execute(
    `select from symbol_source_answer
      where source_id = ? and environment = ? and key = ? and outcome <> 'asked' and expires_at > ?`,
    [sourceId, environment, key, now],
  );
  return rows.length === 0;
}

/** Stores a source's answer while it is valid; a source deleted in the meantime stays deleted. */
export async function recordAnswer(
  em: EntityManager,
  answer: { sourceId: string; environment: Environment; key: string },
  outcome: SourceOutcome,
  failure: string | null,
  now: Date,
): Promise<void> {
  await em.execute(
    `insert into symbol_source_answer (source_id, environment, key, outcome, expires_at)
     select id, ?, ?, ?, ?::timestamptz from symbol_source where id = ?
     on conflict (source_id, environment, key) do update set outcome = excluded.outcome, expires_at = excluded.expires_at`,
    [answer.environment, answer.key, outcome, expiry(outcome, now), answer.sourceId],
  );
  if (outcome === 'found')
    await em.execute('update symbol_source set last_found_at = ? where id = ?', [now, answer.sourceId]);
  if (failure !== null)
    await em.execute('update symbol_source set last_failed_at = ?, last_failure = ? where id = ?', [
      now,
      failure,
      answer.sourceId,
    ]);
}

export async function forgetAnswers(em: EntityManager, sourceId: string): Promise<void> {
  await em.execute('delete from symbol_source_answer where source_id = ?', [sourceId]);
}

export async function deleteExpiredAnswers(em: EntityManager, now: Date): Promise<void> {
  await em.execute('delete from symbol_source_answer where expires_at <= ?', [now]);
}
