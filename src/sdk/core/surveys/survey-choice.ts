import type { Platform } from '../platform.js';
import type { Session } from '../session.js';
import { hashed } from './sampling.js';
import type { KeptSeen, SurveySummary } from './survey-bundle.js';
import { isTargeted } from './targeting-predicate.js';

/** What decides whether a survey may show by itself now. */
export interface SurveyChooser {
  readonly connection: { readonly platform: Platform };
  readonly options: { readonly pauseSeconds: number };
  readonly session: Session;
  readonly screen: string | null;
  readonly shownHere: ReadonlySet<string>;
  cohorts(): readonly string[];
  seen(): KeptSeen | null;
}

/** Maps a text to a number from 0 to 999. */
export const drawn = (text: string): number => hashed(text) % 1_000;

/**
 * Whether a survey may show by itself now: its rules hold, the person is sampled, and neither it nor another survey was
 * shown too recently.
 */
export function isDue(
  chooser: SurveyChooser,
  { id, targeting_rules, display_cooldown_seconds }: SurveySummary,
): boolean {
  const { connection, options, session, screen, shownHere } = chooser;
  const now = connection.platform.now();
  const { shown = {}, answered = [] } = chooser.seen() ?? {};
  const last = Math.max(0, ...Object.values(shown));
  if (shownHere.has(id) || answered.includes(id) || Math.abs(now - last) < options.pauseSeconds * 1_000) return false;
  if (Math.abs(now - (shown[id] ?? Number.NEGATIVE_INFINITY)) < display_cooldown_seconds * 1_000) return false;
  const { person, present } = session;
  const { events, count: sessions } = present;
  const facts = { events, sessions, cohorts: chooser.cohorts(), screen, properties: person.properties };
  const draw = drawn(`${id} ${session.id}`);
  return targeting_rules.some(
    ({ predicate, weight_numerator }) => draw < weight_numerator && isTargeted(predicate, facts),
  );
}
