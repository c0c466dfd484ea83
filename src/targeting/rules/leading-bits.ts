/**
 * The first four bytes of SHA-256 over the UTF-8 bytes of a text, read as a big-endian number. Whatever computes it
 * faster may stand in its place (Subject, hash).
 */
export type LeadingBits = (text: string) => number;

const INITIAL = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const CONSTANTS = roundConstants();
const [schedule, sums] = [new Int32Array(64), new Int32Array(8)];
const encoder = new TextEncoder();

/** {@link LeadingBits} without anything of the platform (FIPS 180-4, section 6.2). */
export const leadingBits: LeadingBits = (text) => {
  const encoded = encoder.encode(text);
  const bytes = new Uint8Array(((encoded.length + 8) >> 6) * 64 + 64);
  bytes.set(encoded);
  bytes[encoded.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(encoded.length / 2 ** 29));
  view.setUint32(bytes.length - 4, encoded.length * 8);
  sums.set(INITIAL);
  for (let at = 0; at < bytes.length; at += 64) addBlock(view, at);
  return word(sums, 0) >>> 0;
};

function addBlock(view: DataView, from: number): void {
  for (let at = 0; at < 16; at += 1) schedule[at] = view.getInt32(from + at * 4);
  for (let at = 16; at < 64; at += 1) {
    const [early, late] = [word(schedule, at - 15), word(schedule, at - 2)];
    const low = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const high = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    schedule[at] = (low + word(schedule, at - 7) + high + word(schedule, at - 16)) | 0;
  }
  let [a, b, c, d, e, f, g, h] = sums as unknown as Eight;
  for (let at = 0; at < 64; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const first =
      (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + choice + word(CONSTANTS, at) + word(schedule, at)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, change] of [a, b, c, d, e, f, g, h].entries()) sums[at] = (word(sums, at) + change) | 0;
}

type Eight = [number, number, number, number, number, number, number, number];

function turned(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function word(words: Int32Array, at: number): number {
  return words[at] as number;
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2). */
function roundConstants(): Int32Array {
  const primes: number[] = [];
  for (let candidate = 2; primes.length < 64; candidate += 1) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return Int32Array.from(primes, (prime) => ((Math.cbrt(prime) % 1) * 2 ** 32) | 0);
}
