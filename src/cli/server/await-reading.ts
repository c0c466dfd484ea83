import { setTimeout as sleep } from 'node:timers/promises';
import type { CliSettings } from '../settings/settings.js';
import { type ArtifactPlace, storedArtifacts } from './stored-artifacts.js';

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 3_000;
const ASKED_AT_ONCE = 100;

/** What the server made of uploaded files, by artifact. */
export interface Readings {
  /** Why it cannot use them. */
  failed: Map<string, string>;
  /** What is missing in those that it can use. */
  lacking: Map<string, string>;
  /** Those it has not read yet. */
  waiting: Set<string>;
}

/** Waits until the server has read the files, by checksum, or until the time is up. Throws what asking the server throws. */
export async function awaitReading(
  settings: CliSettings,
  place: ArtifactPlace,
  artifacts: readonly { id: string; sha256: string }[],
  milliseconds: number,
): Promise<Readings> {
  const readings: Readings = { failed: new Map(), lacking: new Map(), waiting: new Set(artifacts.map(({ id }) => id)) };
  const deadline = performance.now() + milliseconds;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    const due = artifacts.filter(({ id }) => readings.waiting.has(id)).slice(0, ASKED_AT_ONCE);
    const filter = { sha256: { in: due.map(({ sha256 }) => sha256) } };
    for await (const found of storedArtifacts(settings, { ...place, filter })) {
      const { id, status, failureReason, indexedAt, detail, detailReason } = found;
      if (!readings.waiting.has(id)) continue;
      if (status === 'failed') readings.failed.set(id, failureReason ?? 'it cannot be read');
      if (indexedAt !== null && detailReason !== null) {
        readings.lacking.set(id, detail === 'names' ? `symbol names only. ${detailReason}` : detailReason);
      }
      if (status === 'failed' || indexedAt !== null) readings.waiting.delete(id);
      if (readings.waiting.size === 0) return readings;
    }
    if (performance.now() + pause > deadline) return readings;
    // Where all that were asked for are read, the next are asked for at once.
    if (due.some(({ id }) => readings.waiting.has(id))) await sleep(pause);
    else pause = FIRST_PAUSE_MS;
  }
}
