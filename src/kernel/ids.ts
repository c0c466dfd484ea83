import { randomFillSync } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const PREFIXED = /^[a-z]{2,8}_[0-9a-hjkmnp-tv-z]{26}$/;
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const COUNTER_LIMIT = 0xfff;
/**
 * If the clock is set back by less than this, ids wait for it to catch up. If by more, it was wrong before, and ids
 * follow it back.
 */
const MOST_AHEAD_MS = 5_000;

let lastMillisecond = 0;
let counter = 0;

/**
 * Writes a UUID version 7 (RFC 9562, 5.7) into 16 bytes and returns its timestamp in milliseconds since 1970. `rand_a`
 * counts within a millisecond, so ids of a process sort by creation.
 */
export function uuidV7Bytes(target: Uint8Array, offset = 0): number {
  const now = Date.now();
  if (now > lastMillisecond || now < lastMillisecond - MOST_AHEAD_MS) {
    lastMillisecond = now;
    counter = 0;
  } else if (++counter > COUNTER_LIMIT) {
    lastMillisecond += 1;
    counter = 0;
  }
  const high = Math.floor(lastMillisecond / 0x1_0000_0000);
  target[offset] = high >>> 8;
  target[offset + 1] = high;
  target[offset + 2] = lastMillisecond >>> 24;
  target[offset + 3] = lastMillisecond >>> 16;
  target[offset + 4] = lastMillisecond >>> 8;
  target[offset + 5] = lastMillisecond;
  target[offset + 6] = 0x70 | (counter >>> 8);
  target[offset + 7] = counter;
  fillRandom(target, offset + 8);
  target[offset + 8] = ((target[offset + 8] as number) & 0x3f) | 0x80;
  return lastMillisecond;
}

const pool = Buffer.alloc(4096);
let poolAt = pool.length;

/** Eight random bytes. `crypto.randomBytes` takes a microsecond per call; a pool makes it a memory read. */
function fillRandom(target: Uint8Array, offset: number): void {
  if (poolAt === pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  for (let index = 0; index < 8; index++) target[offset + index] = pool[poolAt + index] as number;
  poolAt += 8;
}

const HEX_DIGITS = Buffer.from('0123456789abcdef');
const uuidBytes = new Uint8Array(16);
/** The text being written; its hyphens stay in place. */
const uuidText = Buffer.from('-'.repeat(36));
/** Position of each byte's first digit in the text. */
const UUID_PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** A new UUID version 7 as lowercase text. */
export function newUuid(): string {
  uuidV7Bytes(uuidBytes);
  for (let at = 0; at < 16; at++) {
    const byte = uuidBytes[at] as number;
    const place = UUID_PLACES[at] as number;
    uuidText[place] = HEX_DIGITS[byte >>> 4] as number;
    uuidText[place + 1] = HEX_DIGITS[byte & 15] as number;
  }
  return uuidText.toString('latin1');
}

/** A new opaque id such as `psv_01k…`: a prefix and a UUID version 7 in Crockford's base 32, so it sorts by time. */
export function newPrefixedId(prefix: string): string {
  const bytes = Buffer.alloc(16);
  uuidV7Bytes(bytes);
  let value = BigInt(`0x${bytes.toString('hex')}`);
  let text = '';
  for (let index = 0; index < 26; index++) {
    text = CROCKFORD[Number(value & 31n)] + text;
    value >>= 5n;
  }
  return `${prefix}_${text}`;
}

export const timeOfUuid = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));

/** The smallest UUID version 7 of a millisecond, for ranges of ids; times beyond the last that fits give that. */
export function firstUuidOf(milliseconds: number): string {
  const time = Math.min(milliseconds, 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0');
  return uuidOfDigits(time.padEnd(32, '0'));
}

/** Whether external text has the form of a UUID; anything else cannot identify an object. */
export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && UUID.test(text);
}

/** An id from outside as it is stored: a UUID may be written in capitals. */
export const storedId = (id: string): string => (isUuid(id) ? id.toLowerCase() : id);

/** Whether external text has the form of an id with this prefix. */
export function isPrefixedId(prefix: string, text: unknown): text is string {
  return typeof text === 'string' && text.startsWith(`${prefix}_`) && PREFIXED.test(text);
}

export function uuidOfPrefixedId(id: string): string {
  let value = 0n;
  for (const character of id.slice(id.indexOf('_') + 1)) value = (value << 5n) | BigInt(CROCKFORD.indexOf(character));
  return uuidOfDigits(value.toString(16).padStart(32, '0'));
}

export const uuidOfDigits = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
