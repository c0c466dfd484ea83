import type { Session } from '../session.js';
import { drawn } from './sampling.js';
import type { KeptSeen, SurveySummary } from './survey-bundle.js';
import { isTargeted } from './targeting-predicate.js';

/** What it hangs on whether a survey may show by itself now. */
export interface Circumstances {
  readonly now: number;
  readonly pauseSeconds: number;
  readonly seen: KeptSeen;
  readonly shownHere: ReadonlySet<string>;
  readonly session: Session;
  readonly cohorts: readonly string[];
  readonly screen: string | null;
}

/** Whether a survey may show by itself now: its rules hold, the person is drawn, and neither it nor another was shown too short a while ago. */
export function isDue(
  { id, targeting_rules, display_cooldown_seconds }: SurveySummary,
  { now, pauseSeconds, seen: { shown = {}, answered = [] }, shownHere, session, cohorts, screen }: Circumstances,
): boolean {
  const last = Math.max(0, ...Object.values(shown));
  if (shownHere.has(id) || answered.includes(id) || Math.abs(now - last) < pauseSeconds * 1_000) return false;
  if (Math.abs(now - (shown[id] ?? Number.NEGATIVE_INFINITY)) < display_cooldown_seconds * 1_000) return false;
  const { events, count: sessions, properties } = session;
  const draw = drawn(`${id} ${session.id}`);
  return targeting_rules.some(
    ({ predicate, weight_numerator }) =>
      draw < weight_numerator && isTargeted(predicate, { events, sessions, cohorts, screen, properties }),
  );
}
