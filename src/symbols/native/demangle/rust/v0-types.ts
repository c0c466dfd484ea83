import { NotDemangled } from '../text-cursor.js';
import { printConstant } from './v0-constants.js';
import { inBinder, printLifetime } from './v0-lifetimes.js';
import { printOpenPath, printPath } from './v0-paths.js';
import type { V0Text } from './v0-text.js';

const BASIC_TYPES: ReadonlyMap<string, string> = new Map([
  ['b', 'bool'],
  ['c', 'char'],
  ['e', 'str'],
  ['u', '()'],
  ['a', 'i8'],
  ['s', 'i16'],
  ['l', 'i32'],
  ['x', 'i64'],
  ['n', 'i128'],
  ['i', 'isize'],
  ['h', 'u8'],
  ['t', 'u16'],
  ['m', 'u32'],
  ['y', 'u64'],
  ['o', 'u128'],
  ['j', 'usize'],
  ['f', 'f32'],
  ['d', 'f64'],
  ['z', '!'],
  ['p', '_'],
  ['v', '...'],
]);

export function printType(text: V0Text): void {
  text.nested(() => {
    const tag = text.take();
    const basic = BASIC_TYPES.get(tag);
    if (basic !== undefined) {
      text.print(basic);
      return;
    }
    switch (tag) {
      case 'R':
      case 'Q':
        printReference(text, tag === 'Q');
        return;
      case 'P':
      case 'O':
        text.print(tag === 'P' ? '*const ' : '*mut ');
        printType(text);
        return;
      case 'A':
      case 'S':
        text.print('[');
        printType(text);
        if (tag === 'A') {
          text.print('; ');
          printConstant(text, true);
        }
        text.print(']');
        return;
      case 'T': {
        text.print('(');
        const count = text.list(', ', () => printType(text));
        text.print(count === 1 ? ',)' : ')');
        return;
      }
      case 'F':
        inBinder(text, () => printFunction(text));
        return;
      case 'D':
        printTraitObject(text);
        return;
      case 'B':
        text.backReference(() => printType(text));
        return;
      case 'W':
        printType(text);
        text.print(' is ');
        printPattern(text);
        return;
      default:
        text.pos--;
        printPath(text, false);
    }
  });
}

function printReference(text: V0Text, isMutable: boolean): void {
  text.print('&');
  if (text.accept('L')) {
    const lifetime = text.number62();
    if (lifetime !== 0) {
      printLifetime(text, lifetime);
      text.print(' ');
    }
  }
  if (isMutable) text.print('mut ');
  printType(text);
}

/** `["U"] ["K" <abi>] {<type>} "E" <type>`. */
function printFunction(text: V0Text): void {
  if (text.accept('U')) text.print('unsafe ');
  if (text.accept('K')) {
    const abi = text.accept('C') ? 'C' : text.identifier().replaceAll('_', '-');
    text.print(`extern "${abi}" `);
  }
  text.print('fn(');
  text.list(', ', () => printType(text));
  text.print(')');
  if (text.accept('u')) return;
  text.print(' -> ');
  printType(text);
}

function printTraitObject(text: V0Text): void {
  text.print('dyn ');
  inBinder(text, () => text.list(' + ', () => printTrait(text)));
  if (!text.accept('L')) throw new NotDemangled();
  const lifetime = text.number62();
  if (lifetime === 0) return;
  text.print(' + ');
  printLifetime(text, lifetime);
}

/** A trait with the types bound to its associated names. */
function printTrait(text: V0Text): void {
  let isOpen = printOpenPath(text);
  while (text.accept('p')) {
    text.print(isOpen ? ', ' : '<');
    isOpen = true;
    text.print(`${text.identifier()} = `);
    printType(text);
  }
  if (isOpen) text.print('>');
}

/** A pattern type's restriction: a range, alternatives, or non-null. */
function printPattern(text: V0Text): void {
  text.nested(() => {
    switch (text.take()) {
      case 'R':
        printConstant(text, false);
        text.print('..=');
        printConstant(text, false);
        return;
      case 'O':
        printPattern(text);
        while (!text.accept('E')) {
          text.print(' | ');
          printPattern(text);
        }
        return;
      case 'N':
        text.print('!null');
        return;
      default:
        throw new NotDemangled();
    }
  });
}
