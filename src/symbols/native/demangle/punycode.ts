import { NotDemangled } from './text-cursor.js';

const BASE = 36;
const LOWEST = 1;
const HIGHEST = 26;
const SKEW = 38;
const DAMP = 700;

/** Decodes Punycode (RFC 3492) with the delimiter `_`, as in symbol names. Throws `NotDemangled`. */
export function decodePunycode(encoded: string): string {
  const delimiter = encoded.lastIndexOf('_');
  const output = delimiter < 0 ? [] : [...encoded.slice(0, delimiter)].map((each) => each.charCodeAt(0));
  let codePoint = 0x80;
  let index = 0;
  let bias = 72;
  for (let at = delimiter + 1; at < encoded.length; ) {
    const before = index;
    let weight = 1;
    for (let step = BASE; ; step += BASE) {
      const digit = digitOf(encoded.charCodeAt(at++));
      index += digit * weight;
      const threshold = Math.min(HIGHEST, Math.max(LOWEST, step - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
      if (weight > 0xffffffff) throw new NotDemangled();
    }
    const length = output.length + 1;
    bias = adapted(index - before, length, before === 0);
    codePoint += Math.floor(index / length);
    index %= length;
    if (codePoint > 0x10ffff) throw new NotDemangled();
    output.splice(index++, 0, codePoint);
  }
  return String.fromCodePoint(...output);
}

function digitOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61;
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26;
  if (code >= 0x41 && code <= 0x4a) return code - 0x41 + 26;
  throw new NotDemangled();
}

function adapted(difference: number, length: number, isFirst: boolean): number {
  let delta = Math.floor(difference / (isFirst ? DAMP : 2));
  delta += Math.floor(delta / length);
  let steps = 0;
  for (; delta > ((BASE - LOWEST) * HIGHEST) >> 1; steps += BASE) delta = Math.floor(delta / (BASE - LOWEST));
  return steps + Math.floor(((BASE - LOWEST + 1) * delta) / (delta + SKEW));
}
