/** Length of a key: 128 bits of a hash, one byte per character. */
const KEY_BYTES = 16;
/** The key, then a word with the record's length and marks. */
const HEAD_BYTES = KEY_BYTES + 4;
const LENGTH = 0x3fff_ffff;
const USED = 0x4000_0000;
const DELETED = 0x8000_0000;
/** Records are aligned to this. */
const UNIT = 8;
/** Minimum average size of a record, used to size the index. */
const SMALL_RECORD = 96;
const CHUNKS = 64;
const CHUNK_BYTES = { least: 1_024, most: 2 ** 20 };
/** Maximum fill of the linearly probed index, and the share of a reused chunk that used records may keep. */
const FULLEST = 0.8;
const MOST_KEPT = 0.75;
/** A ticket consists of a generation and a 32-bit address. */
const TICKET_UNIT = 2 ** 32;
const GENERATIONS = 2 ** 20;

interface Chunk {
  readonly bytes: Buffer;
  readonly words: Uint32Array;
  /** Bytes written. */
  end: number;
}

/** A record in place, valid until the next change. */
export interface PackedRecord {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
  /** Lets {@link PackedRecords.stands} tell later whether the record is still there. */
  readonly ticket: number;
}

/**
 * A map of small records, packed contiguously outside the heap: to the garbage collector a million of them are a few
 * hundred buffers, and they take hardly more than their bytes. When full, the oldest records are evicted except those
 * used since (a log with second-chance eviction).
 */
export class PackedRecords {
  private readonly chunkBytes: number;
  /** A power of two, as a shift. */
  private readonly unitsOfChunk: number;
  private readonly mostChunks: number;
  /** Addresses, indexed by the beginning of the key with linear probing; zero means empty. */
  private readonly places: Uint32Array;
  /** How often each chunk has been reused. */
  private readonly generations: Uint32Array;
  private chunks: Chunk[] = [];
  /** The chunk being written. */
  private at = 0;
  private count = 0;
  private readonly wordsOfKey = new Uint32Array(KEY_BYTES / 4);
  private readonly bytesOfKey = Buffer.from(this.wordsOfKey.buffer);

  /** @param bytes total size including the index, at most 2^34. */
  constructor(bytes: number) {
    const wished = 2 ** Math.floor(Math.log2(bytes / CHUNKS));
    this.chunkBytes = Math.min(CHUNK_BYTES.most, Math.max(CHUNK_BYTES.least, wished));
    this.unitsOfChunk = Math.log2(this.chunkBytes / UNIT);
    this.places = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(16, bytes / SMALL_RECORD))));
    this.mostChunks = Math.max(2, Math.floor((bytes - this.places.byteLength) / this.chunkBytes));
    this.generations = new Uint32Array(this.mostChunks);
  }

  get size(): number {
    return this.count;
  }

  /** The record of a key, marked as used. */
  find(key: string): PackedRecord | null {
    const address = this.places[this.placeOf(key)] as number;
    if (address === 0) return null;
    const [chunk, from] = [this.chunkOf(address), this.fromOf(address)];
    setMark(chunk, from, markOf(chunk, from) | USED);
    return this.recordAt(address);
  }

  /** Stores a record, replacing the key's previous one. Returns its ticket, or -1 when it is too large. */
  put(key: string, record: Uint8Array): number {
    this.delete(key);
    const size = sizeOf(record.length);
    if (size > this.chunkBytes) return -1;
    const chunk = this.chunkWithRoom(size);
    const from = chunk.end;
    chunk.end += size;
    const place = this.placeOf(key);
    chunk.words.set(this.wordsOfKey, from / 4);
    setMark(chunk, from, record.length);
    chunk.bytes.set(record, from + HEAD_BYTES);
    const address = this.addressOf(from);
    this.places[place] = address;
    this.count += 1;
    return this.ticketOf(address);
  }

  /**
   * Whether a ticket's record is still in place: not replaced, deleted, evicted or moved. If so, it is marked as used.
   */
  stands(ticket: number): boolean {
    const address = ticket % TICKET_UNIT;
    const chunk = this.chunks[this.numberOf(address)];
    if (!chunk || this.generations[this.numberOf(address)] !== (ticket - address) / TICKET_UNIT) return false;
    const mark = markOf(chunk, this.fromOf(address));
    if (mark & DELETED) return false;
    setMark(chunk, this.fromOf(address), mark | USED);
    return true;
  }

  delete(key: string): void {
    const place = this.placeOf(key);
    if (this.places[place] !== 0) this.remove(place);
  }

  deleteWhere(test: (record: PackedRecord) => boolean): void {
    for (const chunk of this.chunks) {
      for (let from = 0; from < chunk.end; from += sizeAt(chunk, from)) {
        if (isDeleted(chunk, from)) continue;
        const place = this.search(chunk.words, from / 4);
        if (test(this.recordAt(this.places[place] as number))) this.remove(place);
      }
    }
  }

  clear(): void {
    for (let number = 0; number < this.chunks.length; number += 1) this.renew(number);
    this.places.fill(0);
    this.chunks = [];
    this.at = 0;
    this.count = 0;
  }

  /** The chunk to write to: a new one while more are allowed, else the oldest without its unused records. */
  private chunkWithRoom(size: number): Chunk {
    const hasPlaces = () => this.count < this.places.length * FULLEST;
    const current = this.chunks[this.at];
    if (current && hasPlaces() && current.end + size <= this.chunkBytes) return current;
    if (hasPlaces() && this.chunks.length < this.mostChunks) return this.grow();
    for (;;) {
      this.at = (this.at + 1) % this.chunks.length;
      const oldest = this.chunks[this.at] as Chunk;
      this.reclaim(oldest);
      if (hasPlaces() && oldest.end + size <= this.chunkBytes) return oldest;
    }
  }

  private grow(): Chunk {
    const bytes = Buffer.allocUnsafeSlow(this.chunkBytes);
    const chunk = { bytes, words: new Uint32Array(bytes.buffer), end: 0 };
    this.at = this.chunks.push(chunk) - 1;
    return chunk;
  }

  /** Moves a chunk's used records to its beginning and drops the others. */
  private reclaim(chunk: Chunk): void {
    const moving: number[] = [];
    let kept = 0;
    for (let from = 0; from < chunk.end; from += sizeAt(chunk, from)) {
      if (isDeleted(chunk, from)) continue;
      const size = sizeAt(chunk, from);
      if (markOf(chunk, from) & USED && kept + size <= this.chunkBytes * MOST_KEPT) {
        moving.push(from);
        kept += size;
      } else this.remove(this.search(chunk.words, from / 4));
    }
    this.renew(this.at);
    chunk.end = 0;
    for (const from of moving) {
      const [place, size] = [this.search(chunk.words, from / 4), sizeAt(chunk, from)];
      chunk.bytes.copyWithin(chunk.end, from, from + size);
      setMark(chunk, chunk.end, markOf(chunk, chunk.end) & LENGTH);
      this.places[place] = this.addressOf(chunk.end);
      chunk.end += size;
    }
  }

  /** Removes an address without breaking probe sequences (Knuth, volume 3, section 6.4, algorithm R). */
  private remove(place: number): void {
    const { places } = this;
    const address = places[place] as number;
    const [chunk, from] = [this.chunkOf(address), this.fromOf(address)];
    setMark(chunk, from, markOf(chunk, from) | DELETED);
    this.count -= 1;
    const mask = places.length - 1;
    let gap = place;
    places[gap] = 0;
    for (let at = (gap + 1) & mask; places[at] !== 0; at = (at + 1) & mask) {
      const other = places[at] as number;
      const home = (this.chunkOf(other).words[this.fromOf(other) / 4] as number) & mask;
      if (((at - home) & mask) < ((at - gap) & mask)) continue;
      places[gap] = other;
      places[at] = 0;
      gap = at;
    }
  }

  private placeOf(key: string): number {
    this.bytesOfKey.write(key, 0, KEY_BYTES, 'latin1');
    return this.search(this.wordsOfKey, 0);
  }

  /** The index slot of a key, occupied or free. */
  private search(key: Uint32Array, at: number): number {
    const { places } = this;
    const mask = places.length - 1;
    for (let place = (key[at] as number) & mask; ; place = (place + 1) & mask) {
      const address = places[place] as number;
      if (address === 0) return place;
      const { words } = this.chunkOf(address);
      const other = this.fromOf(address) / 4;
      if (
        words[other] === key[at] &&
        words[other + 1] === key[at + 1] &&
        words[other + 2] === key[at + 2] &&
        words[other + 3] === key[at + 3]
      )
        return place;
    }
  }

  private recordAt(address: number): PackedRecord {
    const [chunk, begins] = [this.chunkOf(address), this.fromOf(address) + HEAD_BYTES];
    const to = begins + (markOf(chunk, this.fromOf(address)) & LENGTH);
    return { bytes: chunk.bytes, from: begins, to, ticket: this.ticketOf(address) };
  }

  private addressOf(from: number): number {
    return this.at * 2 ** this.unitsOfChunk + from / UNIT + 1;
  }

  private numberOf(address: number): number {
    return (address - 1) >>> this.unitsOfChunk;
  }

  private chunkOf(address: number): Chunk {
    return this.chunks[this.numberOf(address)] as Chunk;
  }

  private fromOf(address: number): number {
    return ((address - 1) & (2 ** this.unitsOfChunk - 1)) * UNIT;
  }

  private ticketOf(address: number): number {
    return (this.generations[this.numberOf(address)] as number) * TICKET_UNIT + address;
  }

  private renew(number: number): void {
    this.generations[number] = ((this.generations[number] as number) + 1) % GENERATIONS;
  }
}

const sizeOf = (length: number): number => Math.ceil((HEAD_BYTES + length) / UNIT) * UNIT;

const markOf = ({ words }: Chunk, from: number): number => words[(from + KEY_BYTES) / 4] as number;

function setMark({ words }: Chunk, from: number, mark: number): void {
  words[(from + KEY_BYTES) / 4] = mark;
}

const sizeAt = (chunk: Chunk, from: number): number => sizeOf(markOf(chunk, from) & LENGTH);

const isDeleted = (chunk: Chunk, from: number): boolean => (markOf(chunk, from) & DELETED) !== 0;
