import { NotDemangled } from '../text-cursor.js';
import { printLifetime } from './v0-lifetimes.js';
import type { V0Text } from './v0-text.js';

/** `<path>`. `inValue`: inside an expression, where generic arguments need `::`. */
export function printPath(text: V0Text, inValue: boolean): void {
  text.nested(() => {
    const tag = text.take();
    switch (tag) {
      case 'C':
        text.disambiguator();
        text.print(text.identifier());
        return;
      case 'N':
        printNested(text, inValue);
        return;
      case 'M':
      case 'X':
      case 'Y':
        if (tag !== 'Y') {
          text.disambiguator();
          text.silently(() => printPath(text, false));
        }
        text.print('<');
        text.readers.type(text);
        if (tag !== 'M') {
          text.print(' as ');
          printPath(text, false);
        }
        text.print('>');
        return;
      case 'I':
        printPath(text, inValue);
        text.print(inValue ? '::<' : '<');
        text.list(', ', () => printGenericArgument(text));
        text.print('>');
        return;
      case 'B':
        text.backReference(() => printPath(text, inValue));
        return;
      default:
        throw new NotDemangled();
    }
  });
}

/** The path of a trait; returns true when its generic arguments stay open for associated types. */
export function printOpenPath(text: V0Text): boolean {
  if (text.accept('B')) {
    let isOpen = false;
    text.backReference(() => {
      isOpen = printOpenPath(text);
    });
    return isOpen;
  }
  if (!text.accept('I')) {
    printPath(text, false);
    return false;
  }
  printPath(text, false);
  text.print('<');
  text.list(', ', () => printGenericArgument(text));
  return true;
}

/** `N <namespace> <path> <identifier>`: uppercase namespaces hold unnamed items. */
function printNested(text: V0Text, inValue: boolean): void {
  const namespace = text.take();
  if (!/[A-Za-z]/.test(namespace)) throw new NotDemangled();
  printPath(text, inValue);
  const disambiguator = text.disambiguator();
  const name = text.identifier();
  if (/[a-z]/.test(namespace)) {
    if (name !== '') text.print(`::${name}`);
    return;
  }
  const kind = namespace === 'C' ? 'closure' : namespace === 'S' ? 'shim' : namespace;
  text.print(`::{${kind}${name === '' ? '' : `:${name}`}#${disambiguator}}`);
}

function printGenericArgument(text: V0Text): void {
  if (text.accept('L')) printLifetime(text, text.number62());
  else if (text.accept('K')) text.readers.constant(text);
  else text.readers.type(text);
}
