import { evaluate } from './predicate-reader.js';

/** Evaluates a leaf, by its form and content. */
export interface Facts {
  readonly events: readonly string[];
  readonly sessions: number;
  readonly cohorts: readonly string[];
  readonly screen: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Whether a targeting predicate holds (docs/rest.md, Surveys); an unreadable one never holds. */
export function isTargeted(text: string, { events, sessions, cohorts, screen, properties }: Facts): boolean {
  return evaluate(text, (reader) => {
    const named = reader.take(/^(event|cohort|screen):/);
    if (named) {
      const name = reader.name(/^[^,()"]+/);
      return named[1] === 'screen' ? screen === name : (named[1] === 'event' ? events : cohorts).includes(name);
    }
    if (reader.take(/^session_count/)) {
      reader.need(/^>=/);
      return sessions >= Number(reader.need(/^\d+/)[0]);
    }
    reader.need(/^props\./);
    const key = reader.name(/^[^,()"=]+/);
    reader.need(/^=/);
    const value = reader.quoted() ?? reader.fail();
    const known = properties[key];
    return known !== undefined && (typeof known === 'string' ? known : JSON.stringify(known)) === value;
  });
}
