import { setTimeout as sleep } from 'node:timers/promises';
import type { CliSettings } from '../settings/settings.js';
import { type ArtifactPlace, storedArtifacts } from './stored-artifacts.js';

const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 3_000;
const QUERIED_AT_ONCE = 100;

/** How the server processed uploaded files, by artifact. */
export interface Readings {
  /** Why they are unusable. */
  failed: Map<string, string>;
  /** What is missing from usable ones. */
  lacking: Map<string, string>;
  /** Not processed yet. */
  waiting: Set<string>;
}

/** Waits until the server has processed the files or the time is up. Rethrows request errors. */
export async function awaitReading(
  settings: CliSettings,
  place: ArtifactPlace,
  artifacts: readonly { id: string; sha256: string }[],
  milliseconds: number,
): Promise<Readings> {
  const readings: Readings = { failed: new Map(), lacking: new Map(), waiting: new Set(artifacts.map(({ id }) => id)) };
  const deadline = performance.now() + milliseconds;
  const isLate = () => performance.now() + pause > deadline;
  let pause = FIRST_PAUSE_MS;
  do {
    // Taking turns, so that slow files do not hold up the others.
    const round = artifacts.filter(({ id }) => readings.waiting.has(id));
    for (let at = 0; at < round.length; at += QUERIED_AT_ONCE) {
      const due = round.slice(at, at + QUERIED_AT_ONCE);
      await readStatuses(settings, place, due, readings);
      if (readings.waiting.size === 0) return readings;
      if (due.every(({ id }) => !readings.waiting.has(id))) pause = FIRST_PAUSE_MS;
      else if (!isLate()) {
        await sleep(pause);
        pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS);
      }
    }
  } while (!isLate());
  return readings;
}

async function readStatuses(
  settings: CliSettings,
  place: ArtifactPlace,
  due: readonly { sha256: string }[],
  readings: Readings,
): Promise<void> {
  const filter = { sha256: { in: due.map(({ sha256 }) => sha256) } };
  for await (const found of storedArtifacts(settings, { ...place, filter })) {
    const { id, status, failureReason, indexedAt, detail, detailReason } = found;
    if (!readings.waiting.has(id)) continue;
    if (status === 'failed') readings.failed.set(id, failureReason ?? 'the file could not be read');
    if (indexedAt !== null && detailReason !== null)
      readings.lacking.set(id, detail === 'names' ? `symbol names only. ${detailReason}` : detailReason);
    if (status === 'failed' || indexedAt !== null) readings.waiting.delete(id);
  }
}
