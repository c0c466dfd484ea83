import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { Check } from 'typebox/value';
import { EVENT_KINDS, type EventKind } from '../../src/events/catalog.js';

/** What the applications of a whole test run stored as events. */
export interface EmittedEvents {
  /** Kinds of the catalogue that nothing emitted. */
  missing: string[];
  /** Kinds whose stored `data` is not what the catalogue says, or that it does not know. */
  misshapen: string[];
}

/** Notes the kinds of all stored events in the folder of the run, TEST_EMITTED_EVENTS; without one nothing is noted. */
export async function noteEmittedEvents(pool: Pool): Promise<void> {
  const folder = process.env.TEST_EMITTED_EVENTS;
  if (!folder) return;
  const { rows } = await pool.query<{ kind: string; data: unknown }>('select distinct kind, data from event_log');
  const lines = rows.map(({ kind, data }) => `${isAsCatalogued(kind, data) ? 'good' : 'bad'} ${kind}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, randomUUID()), [...new Set(lines)].join('\n'));
}

/** Sets what was noted against the catalogue: every kind must be emitted by real code, in the shape that is documented. */
export function judgeEmittedEvents(folder: string): EmittedEvents {
  const notes = readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'));
  const noted = (word: string): Set<string> =>
    new Set(notes.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length + 1)));
  const emitted = noted('good');
  const misshapen = noted('bad');
  const missing = Object.keys(EVENT_KINDS).filter((kind) => !emitted.has(kind) && !misshapen.has(kind));
  return { missing, misshapen: [...misshapen] };
}

function isAsCatalogued(kind: string, data: unknown): boolean {
  return Object.hasOwn(EVENT_KINDS, kind) && Check(EVENT_KINDS[kind as EventKind].data, data);
}
