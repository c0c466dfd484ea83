import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pool } from 'pg';
import { Check } from 'typebox/value';
import { EVENT_KINDS, type EventKind } from '../../src/events/catalog.js';

/** What the applications stored as events during a whole test run. */
export interface EmittedEvents {
  /** Kinds in the catalogue that nothing emitted. */
  missing: string[];
  /** Kinds that the catalogue does not know, or whose stored `data` does not match it. */
  misshapen: string[];
}

/**
 * Records the kinds of all stored events in the run's folder, TEST_EMITTED_EVENTS; without a folder, nothing is
 * recorded.
 */
export async function noteEmittedEvents(pool: Pool): Promise<void> {
  const folder = process.env.TEST_EMITTED_EVENTS;
  if (!folder) return;
  const { rows } = await pool.query<{ kind: string; data: unknown }>('select distinct kind, data from event_log');
  const lines = rows.map(({ kind, data }) => `${isAsCatalogued(kind, data) ? 'good' : 'bad'} ${kind}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, randomUUID()), [...new Set(lines)].join('\n'));
}

/** Compares the record with the catalogue: real code must emit every kind, in the documented shape. */
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
