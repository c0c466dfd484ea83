import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { onOwnMemory } from '../../kernel/memory/own-memory.js';
import type { ToldOutcomes } from './answer.js';
import type { DecisionModule } from './decision-modules.js';
import type { KnownPerson } from './person-cache.js';
import { type Snapshot, TOLD_SOURCES } from './snapshot.js';

/** What an entry takes beside the outcomes that it tells, in bytes, as the heap has it. */
const OVERHEAD = 300;
/** And for each source that tells some. */
const TOLD_OVERHEAD = 24;
/** All that is told, cohorts too, which are as many as a project has. */
const KEPT_TEXTS = [...TOLD_SOURCES, 'analytics'] as const;
/** How long an answer stands that depends on the clock, in milliseconds. */
const TIMED_MS = 450;

/** Places in which tags are noted that were asked for once. */
const NOTED = 2 ** 18;
/**
 * Notes stand while this many times the bytes that may be kept are written. A fleet whose persons all have answers of their own comes
 * round later than that, and keeping bytes that make room for each other before they are asked for costs more than writing them.
 */
const NOTED_TIMES = 4;

/** What was answered to a request and which outcomes that told, and what it was made from. */
export interface KeptAnswer extends ToldOutcomes {
  readonly modules: readonly DecisionModule[];
  readonly etag: string;
  /** The snapshot's. */
  readonly fingerprint: string;
  /** Whose facts it depends on. */
  readonly person: KnownPerson | null;
  /** When it was made, if it depends on the clock. */
  readonly madeAt: number | null;
}

/**
 * Answers by request, so that an SDK that asks again costs a look-up: the tag of each, as long as the definitions and facts stand
 * that it was made from, and the bytes of those that were sent more than once, which all who get the same answer share. The least
 * recently used make room.
 */
export class AnswerCache {
  private readonly answers: LRUCache<string, KeptAnswer>;
  private readonly bodies: LRUCache<string, Buffer>;
  private readonly noted = new Uint8Array(NOTED / 8);
  private notes = 0;
  private notedBytes = 0;

  constructor(bytes: { answers: number; bodies: number }) {
    this.answers = new LRUCache({
      maxSize: bytes.answers,
      sizeCalculation: (told) =>
        KEPT_TEXTS.reduce((sum, source) => sum + (told[source] ? TOLD_OVERHEAD + told[source].length : 0), OVERHEAD),
    });
    this.bodies = new LRUCache({ maxSize: bytes.bodies, sizeCalculation: (body) => OVERHEAD + body.length });
  }

  find(request: string, { fingerprint }: Snapshot, now: number): KeptAnswer | null {
    const kept = this.answers.get(keyOf(request));
    if (!kept || kept.fingerprint !== fingerprint || kept.person?.isGone) return null;
    if (kept.madeAt === null) return kept;
    return now >= kept.madeAt && now - kept.madeAt < TIMED_MS ? kept : null;
  }

  keep(request: string, answer: KeptAnswer): void {
    this.answers.set(keyOf(request), answer);
  }

  /** What stands under a tag: its bytes if they are kept, else its text, written now. */
  body(etag: string, json: () => string): Buffer | string {
    const known = this.bodies.get(etag);
    if (known) return known;
    const text = json();
    if (!this.isAskedAgain(etag, text.length)) return text;
    const body = onOwnMemory(Buffer.from(text));
    this.bodies.set(etag, body);
    return body;
  }

  /** Whether a tag was asked for lately, or shares its place with one that was: what is sent once is not worth its memory. */
  private isAskedAgain(etag: string, bytes: number): boolean {
    // A tag begins with digits of a hash.
    let place = 0;
    for (let digit = 1; digit <= 4; digit += 1) place = (place * 61 + etag.charCodeAt(digit)) % NOTED;
    const [at, bit] = [place >> 3, 1 << (place & 7)];
    if ((this.noted[at] as number) & bit) return true;
    this.noted[at] = (this.noted[at] as number) | bit;
    this.notes += 1;
    this.notedBytes += OVERHEAD + bytes;
    if (this.notes > NOTED / 4 || this.notedBytes > this.bodies.maxSize * NOTED_TIMES) {
      this.noted.fill(0);
      this.notes = 0;
      this.notedBytes = 0;
    }
    return false;
  }
}

/** Requests are known by 32 bytes of a hash, however long they are. */
const keyOf = (request: string): string => hash('sha256', request, 'binary');
