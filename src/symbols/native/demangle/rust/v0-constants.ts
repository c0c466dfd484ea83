import { NotDemangled } from '../text-cursor.js';
import { printPath } from './v0-paths.js';
import type { V0Text } from './v0-text.js';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\0', '\\0'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\\', '\\\\'],
]);

/** `<const>`: values of constant parameters. `inValue`: inside an expression, where it needs no braces. */
export function printConstant(text: V0Text, inValue: boolean): void {
  text.nested(() => {
    const tag = text.take();
    const isExpression = /[eAQTV]/.test(tag) || (tag === 'R' && text.peek() !== 'e');
    const needsBraces = isExpression && !inValue;
    if (needsBraces) text.print('{');
    printValue(text, tag, inValue);
    if (needsBraces) text.print('}');
  });
}

function printValue(text: V0Text, tag: string, inValue: boolean): void {
  switch (tag) {
    case 'p':
      text.print('_');
      return;
    case 'b': {
      const digits = text.hexDigits();
      if (!/^0*[01]?$/.test(digits)) throw new NotDemangled();
      text.print(digits.endsWith('1') ? 'true' : 'false');
      return;
    }
    case 'c':
      text.print(quoted(characterOf(text.hexDigits()), "'"));
      return;
    case 'e':
      text.print(`*${quoted(textOf(text.hexDigits()), '"')}`);
      return;
    case 'R':
    case 'Q':
      if (tag === 'R' && text.accept('e')) {
        text.print(quoted(textOf(text.hexDigits()), '"'));
        return;
      }
      text.print(tag === 'R' ? '&' : '&mut ');
      printConstant(text, true);
      return;
    case 'A':
      text.print('[');
      text.list(', ', () => printConstant(text, true));
      text.print(']');
      return;
    case 'T': {
      text.print('(');
      const count = text.list(', ', () => printConstant(text, true));
      text.print(count === 1 ? ',)' : ')');
      return;
    }
    case 'V':
      printStructure(text);
      return;
    case 'B':
      text.backReference(() => printConstant(text, inValue));
      return;
    default:
      printInteger(text, tag);
  }
}

function printInteger(text: V0Text, tag: string): void {
  if (/[aslxni]/.test(tag)) {
    if (text.accept('n')) text.print('-');
  } else if (!/[htmyoj]/.test(tag)) throw new NotDemangled();
  const digits = text.hexDigits().replace(/^0+/, '');
  text.print(digits.length > 16 ? `0x${digits}` : String(BigInt(`0x${digits || '0'}`)));
}

/** A unit, tuple-like or struct-like value of a struct or an enum variant. */
function printStructure(text: V0Text): void {
  printPath(text, true);
  switch (text.take()) {
    case 'U':
      return;
    case 'T':
      text.print('(');
      text.list(', ', () => printConstant(text, true));
      text.print(')');
      return;
    case 'S':
      text.print(' { ');
      text.list(', ', () => {
        text.disambiguator();
        text.print(`${text.identifier()}: `);
        printConstant(text, true);
      });
      text.print(' }');
      return;
    default:
      throw new NotDemangled();
  }
}

function characterOf(digits: string): string {
  const codePoint = Number.parseInt(digits || '0', 16);
  if (digits.length > 8 || codePoint > 0x10ffff || (codePoint >= 0xd800 && codePoint < 0xe000))
    throw new NotDemangled();
  return String.fromCodePoint(codePoint);
}

function textOf(digits: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(digits, 'hex'));
  } catch {
    throw new NotDemangled();
  }
}

function quoted(content: string, quote: string): string {
  let inside = '';
  for (const character of content) {
    if (character === quote) inside += `\\${quote}`;
    else inside += ESCAPES.get(character) ?? visible(character);
  }
  return quote + inside + quote;
}

function visible(character: string): string {
  const isHidden = /[\p{C}\p{Mn}\p{Me}\p{Zl}\p{Zp}]|[^\P{Zs} ]/u.test(character);
  return isHidden ? `\\u{${character.codePointAt(0)?.toString(16)}}` : character;
}
