import { onOwnMemory } from '../../kernel/own-memory.js';
import type { Answer } from './answer.js';
import type { Snapshot } from './snapshot.js';

const MOST_BYTES = 32 * 1024 * 1024;
/** What an entry weighs besides its body and its request. */
const OVERHEAD = 512;

interface Entry {
  readonly snapshot: Snapshot;
  readonly madeAt: number;
  readonly freshMs: number;
  readonly answer: Answer;
  readonly weight: number;
}

/**
 * Finished answers by request, so that an SDK that asks again costs a look-up. An answer stands as long as the
 * snapshot it was made from, and no longer than it may when it depends on stored facts about a person. The oldest
 * make room when together they exceed 32 MiB.
 */
export class AnswerCache {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  find(request: string, snapshot: Snapshot, now: number): Answer | null {
    const entry = this.entries.get(request);
    if (!entry || entry.snapshot !== snapshot || now < entry.madeAt || now - entry.madeAt >= entry.freshMs) return null;
    return entry.answer;
  }

  /** Keeps an answer for a number of milliseconds; `Infinity` when it depends on the snapshot alone. */
  keep(request: string, snapshot: Snapshot, now: number, answer: Answer, freshMs: number): void {
    this.drop(request);
    const weight = answer.body.length + request.length * 2 + OVERHEAD;
    const kept = { ...answer, body: onOwnMemory(answer.body) };
    this.entries.set(request, { snapshot, madeAt: now, freshMs, answer: kept, weight });
    this.bytes += weight;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= MOST_BYTES) break;
      this.drop(oldest);
    }
  }

  private drop(request: string): void {
    this.bytes -= this.entries.get(request)?.weight ?? 0;
    this.entries.delete(request);
  }
}
