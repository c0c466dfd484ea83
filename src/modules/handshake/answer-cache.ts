import { LRUCache } from 'lru-cache';
import { onOwnMemory } from '../../kernel/own-memory.js';
import type { KnownPerson } from './person-cache.js';
import type { Snapshot } from './snapshot.js';

/** What an entry takes beside its texts, in bytes. */
const OVERHEAD = 260;

/** What was answered to a request, and what it was made from. */
export interface KeptAnswer {
  readonly etag: string;
  /** The snapshot's. */
  readonly fingerprint: string;
  /** Whose facts it depends on. */
  readonly person: KnownPerson | null;
  readonly madeAt: number;
  /** How long it stands at most, in milliseconds. */
  readonly freshMs: number;
}

/**
 * Answers by request, so that an SDK that asks again costs a look-up: the tag of each, as long as the definitions and facts stand
 * that it was made from, and the bytes of those that were sent last, which all who get the same answer share. The least recently used make room.
 */
export class AnswerCache {
  private readonly answers: LRUCache<string, KeptAnswer>;
  private readonly bodies: LRUCache<string, Buffer>;

  constructor(bytes: { answers: number; bodies: number }) {
    this.answers = new LRUCache({
      maxSize: bytes.answers,
      sizeCalculation: (_, request) => OVERHEAD + Buffer.byteLength(request),
    });
    this.bodies = new LRUCache({ maxSize: bytes.bodies, sizeCalculation: (body) => OVERHEAD + body.length });
  }

  find(request: string, { fingerprint }: Snapshot, now: number): KeptAnswer | null {
    const kept = this.answers.get(request);
    if (!kept || kept.fingerprint !== fingerprint || kept.person?.isGone) return null;
    return now >= kept.madeAt && now - kept.madeAt < kept.freshMs ? kept : null;
  }

  keep(request: string, answer: KeptAnswer): void {
    this.answers.set(request, answer);
  }

  /** The bytes under a tag, written when they are not kept. */
  body(etag: string, json: () => string): Buffer {
    const known = this.bodies.get(etag);
    if (known) return known;
    const body = onOwnMemory(Buffer.from(json()));
    this.bodies.set(etag, body);
    return body;
  }
}
