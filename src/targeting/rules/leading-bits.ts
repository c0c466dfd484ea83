/**
 * The first four bytes of SHA-256 over a text's UTF-8 bytes, read as a big-endian number. It can be replaced by a
 * faster implementation (Subject, hash).
 */
export type LeadingBits = (text: string) => number;

const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const CONSTANTS = roundConstants();
const [schedule, sums] = [new Int32Array(64), new Int32Array(8)];
const encoder = new TextEncoder();
/** Buffer for bucket texts, nearly all of which are shorter; a longer one gets its own. */
const room = new Uint8Array(256);

/** {@link LeadingBits} without platform APIs (FIPS 180-4, section 6.2). */
export const leadingBits: LeadingBits = (text) => {
  // At most three bytes per UTF-16 unit, plus nine.
  const bytes = text.length * 3 + 9 <= room.length ? room : new Uint8Array(text.length * 3 + 73);
  const { written: length } = encoder.encodeInto(text, bytes);
  const end = ((length + 8) >> 6) * 64 + 64;
  bytes.fill(0, length, end);
  bytes[length] = 0x80;
  for (let at = 0, bits = length * 8; at < 6; at += 1, bits = Math.floor(bits / 256)) bytes[end - 1 - at] = bits % 256;
  sums.set(INITIAL);
  for (let at = 0; at < end; at += 64) addBlock(bytes, at);
  return word(sums, 0) >>> 0;
};

function addBlock(bytes: Uint8Array, from: number): void {
  for (let at = 0; at < 16; at += 1) {
    const byte = from + at * 4;
    schedule[at] =
      (byteAt(bytes, byte) << 24) |
      (byteAt(bytes, byte + 1) << 16) |
      (byteAt(bytes, byte + 2) << 8) |
      byteAt(bytes, byte + 3);
  }
  for (let at = 16; at < 64; at += 1) {
    const early = word(schedule, at - 15);
    const late = word(schedule, at - 2);
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    schedule[at] = (low + word(schedule, at - 7) + high + word(schedule, at - 16)) | 0;
  }
  let a = word(sums, 0);
  let b = word(sums, 1);
  let c = word(sums, 2);
  let d = word(sums, 3);
  let e = word(sums, 4);
  let f = word(sums, 5);
  let g = word(sums, 6);
  let h = word(sums, 7);
  for (let at = 0; at < 64; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const first =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + word(CONSTANTS, at) + word(schedule, at)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    // Written out, because destructuring would allocate an array each time.
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  sums[0] = word(sums, 0) + a;
  sums[1] = word(sums, 1) + b;
  sums[2] = word(sums, 2) + c;
  sums[3] = word(sums, 3) + d;
  sums[4] = word(sums, 4) + e;
  sums[5] = word(sums, 5) + f;
  sums[6] = word(sums, 6) + g;
  sums[7] = word(sums, 7) + h;
}

const turned = (value: number, by: number): number => (value >>> by) | (value << (32 - by));

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] as number;

const word = (words: Int32Array, at: number): number => words[at] as number;

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2). */
function roundConstants(): Int32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Int32Array.from(primes, (prime) => ((Math.cbrt(prime) % 1) * 2 ** 32) | 0);
}
