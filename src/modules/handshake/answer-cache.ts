import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { InternedTexts } from '../../kernel/memory/interned-texts.js';
import { onOwnMemory } from '../../kernel/memory/own-memory.js';
import { PackedRecords } from '../../kernel/memory/packed-records.js';
import { RecordReader, RecordWriter } from '../../kernel/memory/record-fields.js';
import type { ServedOutcomes } from './answer.js';
import type { DecisionModule } from './decision-modules.js';
import { NOT_KEPT } from './person-cache.js';
import type { Snapshot } from './snapshot.js';

/** Heap overhead of an answer, besides its bytes. */
const OVERHEAD = 300;
/** Snapshots that answers were made from. */
const MOST_FINGERPRINTS = 50_000;
/** Of modules, in any order. */
const MOST_COMBINATIONS = 1_000;
/** Instead of a person's ticket: the answer doesn't depend on any person's facts. */
const NOBODY = -2;
/** How long an answer that depends on the clock is valid, in milliseconds. */
const TIMED_MS = 450;

/** Slots for tags that were requested once. */
const NOTED = 2 ** 18;
/**
 * Notes stay until this many times the cache's size has been written. A fleet whose persons all have their own answers comes round later
 * than that, and caching bytes that evict each other before they are requested costs more than writing them.
 */
const NOTED_TIMES = 4;

export interface KeptAnswer extends ServedOutcomes {
  readonly modules: readonly DecisionModule[];
  readonly etag: string;
}

/** An answer, and what it was made from. */
export interface NewAnswer extends KeptAnswer {
  readonly fingerprint: string;
  /** Of a person's facts, from the cache of persons; null if it depends on nobody's. */
  readonly ticket: number | null;
  /** When it was made, if it depends on the clock. */
  readonly madeAt: number | null;
}

/**
 * Answers by request, so that a repeated SDK request costs one lookup: the tag of each, while its definitions and facts are still valid,
 * and the bytes of those sent more than once, shared by everyone with the same answer. Entries that aren't requested are evicted.
 */
export class AnswerCache {
  private readonly answers: PackedRecords;
  private readonly fingerprints = new InternedTexts(MOST_FINGERPRINTS, () => this.answers.clear());
  private readonly combinations: (readonly DecisionModule[])[] = [];
  private readonly combinationNumbers = new InternedTexts(MOST_COMBINATIONS, () => this.answers.clear());
  private readonly writer = new RecordWriter();
  private readonly bodies: LRUCache<string, Buffer>;
  private readonly noted = new Uint8Array(NOTED / 8);
  private notes = 0;
  private notedBytes = 0;

  /** @param stands whether the facts of a ticket may still be used. */
  constructor(
    bytes: { answers: number; bodies: number },
    private readonly stands: (ticket: number) => boolean,
  ) {
    this.answers = new PackedRecords(bytes.answers);
    this.bodies = new LRUCache({ maxSize: bytes.bodies, sizeCalculation: (body) => OVERHEAD + body.length });
  }

  find(request: string, { fingerprint }: Snapshot, now: number): KeptAnswer | null {
    // Before any lookup, because issuing a number may clear everything.
    const made = this.fingerprints.numberOf(fingerprint);
    const record = this.answers.find(keyOf(request));
    if (!record) return null;
    const fields = new RecordReader(record);
    if (fields.whole() !== made) return null;
    const ticket = fields.number();
    if (ticket !== NOBODY && !this.stands(ticket)) return null;
    const madeAt = fields.number();
    if (now < madeAt || now - madeAt >= TIMED_MS) return null;
    return {
      modules: this.combinations[fields.whole()] as readonly DecisionModule[],
      etag: fields.text() as string,
      switch: fields.text(),
      config: fields.text(),
      ofrep: fields.text(),
      analytics: fields.text(),
    };
  }

  keep(request: string, answer: NewAnswer): void {
    const { ticket, modules } = answer;
    if (ticket === NOT_KEPT) return;
    const combination = this.combinationNumbers.numberOf(modules.join());
    this.combinations[combination] = modules;
    const { writer } = this;
    writer.whole(this.fingerprints.numberOf(answer.fingerprint));
    writer
      .number(ticket ?? NOBODY)
      .number(answer.madeAt ?? Number.NaN)
      .whole(combination);
    writer.text(answer.etag);
    for (const part of [answer.switch, answer.config, answer.ofrep, answer.analytics]) writer.text(part);
    this.answers.put(keyOf(request), writer.done());
  }

  /** The content for a tag: its bytes if cached, else its text, written now. */
  body(etag: string, json: () => string): Buffer | string {
    const known = this.bodies.get(etag);
    if (known) return known;
    const text = json();
    if (!this.isAskedAgain(etag, text.length)) return text;
    const body = onOwnMemory(Buffer.from(text));
    this.bodies.set(etag, body);
    return body;
  }

  /** Whether a tag was requested recently, or shares its slot with one that was: content sent only once isn't worth its memory. */
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

/** Requests are identified by 32 bytes of a hash, however long they are. */
const keyOf = (request: string): string => hash('sha256', request, 'binary');
