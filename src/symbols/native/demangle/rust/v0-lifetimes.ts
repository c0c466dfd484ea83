import { NotDemangled } from '../text-cursor.js';
import type { V0Text } from './v0-text.js';

/** A lifetime as the number of binders since it was bound; 0 is the erased lifetime. */
export function printLifetime(text: V0Text, index: number): void {
  if (index === 0) {
    text.print("'_");
    return;
  }
  const depth = text.boundLifetimes - index;
  if (depth < 0) throw new NotDemangled();
  text.print(depth < 26 ? `'${String.fromCharCode(0x61 + depth)}` : `'_${depth}`);
}

/** `[<binder>]` and its content. */
export function inBinder(text: V0Text, read: () => void): void {
  const bound = text.optional62('G');
  if (bound > 256) throw new NotDemangled();
  for (let index = 0; index < bound; index++) {
    text.print(index === 0 ? 'for<' : ', ');
    text.boundLifetimes++;
    printLifetime(text, 1);
  }
  if (bound > 0) text.print('> ');
  read();
  text.boundLifetimes -= bound;
}
