import { setTimeout as sleep } from 'node:timers/promises';
import { storedArtifacts } from './ask-server.js';
import type { CliSettings } from './settings.js';

const PAUSE_MS = 500;

/** What the server made of uploaded files, by artifact. */
export interface Readings {
  /** Why it cannot use them. */
  failed: Map<string, string>;
  /** What is missing in those that it can use. */
  lacking: Map<string, string>;
  /** Those it has not read yet. */
  waiting: Set<string>;
}

/** Waits until the server has read the files, or until the time is over. Throws what asking the server throws. */
export async function awaitReading(
  settings: CliSettings,
  place: { project?: string | undefined; environment?: string | undefined },
  ids: readonly string[],
  milliseconds: number,
): Promise<Readings> {
  const readings: Readings = { failed: new Map(), lacking: new Map(), waiting: new Set(ids) };
  const deadline = performance.now() + milliseconds;
  for (;;) {
    for await (const { id, status, failureReason, indexedAt, detail, detailReason } of storedArtifacts(
      settings,
      place,
    )) {
      if (!readings.waiting.has(id)) continue;
      if (status === 'failed') readings.failed.set(id, failureReason ?? 'it cannot be read');
      if (indexedAt !== null && detailReason !== null) {
        readings.lacking.set(id, detail === 'names' ? `symbol names only. ${detailReason}` : detailReason);
      }
      if (status === 'failed' || indexedAt !== null) readings.waiting.delete(id);
      if (readings.waiting.size === 0) return readings;
    }
    if (performance.now() + PAUSE_MS > deadline) return readings;
    await sleep(PAUSE_MS);
  }
}
