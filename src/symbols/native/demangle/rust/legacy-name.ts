import { withSuffix } from './symbol-suffix.js';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['SP', '@'],
  ['BP', '*'],
  ['RF', '&'],
  ['LT', '<'],
  ['GT', '>'],
  ['LP', '('],
  ['RP', ')'],
  ['C', ','],
]);

/** The parts of `_ZN <part>+ E` after `_ZN`, without the trailing hash; null for any other name. */
export function readLegacyName(mangled: string): string | null {
  const parts: string[] = [];
  let pos = 0;
  while (mangled[pos] !== 'E') {
    const digits = /^[1-9][0-9]{0,4}/.exec(mangled.slice(pos, pos + 5))?.[0];
    if (digits === undefined) return null;
    pos += digits.length;
    const part = mangled.slice(pos, pos + Number(digits));
    if (part.length < Number(digits)) return null;
    pos += part.length;
    parts.push(part);
  }
  if (!/^h[0-9a-f]{16}$/.test(parts.at(-1) ?? '') || parts.length < 2) return null;
  return withSuffix(parts.slice(0, -1).map(unescaped).join('::'), mangled.slice(pos + 1));
}

/** `$LT$` is `<`, `$u20$` a space, `..` a double colon. After an unknown escape the rest stays unchanged. */
function unescaped(part: string): string {
  let rest = part.startsWith('_$') ? part.slice(1) : part;
  let plain = '';
  for (;;) {
    const at = rest.search(/[$.]/);
    if (at < 0) return plain + rest;
    plain += rest.slice(0, at);
    rest = rest.slice(at);
    if (rest[0] === '.') {
      const isDouble = rest[1] === '.';
      plain += isDouble ? '::' : '.';
      rest = rest.slice(isDouble ? 2 : 1);
      continue;
    }
    const mark = /^\$([^$]*)\$/.exec(rest)?.[1];
    const character = mark === undefined ? undefined : (ESCAPES.get(mark) ?? codePoint(mark));
    if (character === undefined) return plain + rest;
    plain += character;
    rest = rest.slice((mark as string).length + 2);
  }
}

function codePoint(mark: string): string | undefined {
  if (!/^u[0-9a-f]{1,6}$/.test(mark)) return undefined;
  const code = Number.parseInt(mark.slice(1), 16);
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
  const character = String.fromCodePoint(code);
  return /\p{Cc}/u.test(character) ? undefined : character;
}
