import { NotDemangled } from '../text-cursor.js';
import { readEntityOperator } from './swift-entities.js';
import { SwiftText } from './swift-text.js';
import { readTypeOperator } from './swift-types.js';

const SUFFIX = /\.[0-9a-zA-Z_.]+$/;

/**
 * Demangles a Swift symbol (`$s…` since Swift 5, `$S…` before) as `swift-demangle` does: functions, methods, closures,
 * accessors, initializers, generics, and the thunks around them. Null for any other name and for unsupported parts.
 */
export function demangleSwift(name: string): string | null {
  if (!/^_?\$[sS]/.test(name)) return null;
  const start = name.indexOf('$') + 2;
  const suffix = SUFFIX.exec(name)?.[0] ?? '';
  const text = new SwiftText(name.slice(start, name.length - suffix.length));
  try {
    while (text.peek() !== '') readOperator(text);
    const { text: plain } = text.pop('entity', 'type');
    if (text.depth > 0) return null;
    return suffix === '' ? plain : `${plain} with unmangled suffix "${suffix}"`;
  } catch (error) {
    if (error instanceof NotDemangled) return null;
    throw error;
  }
}

function readOperator(text: SwiftText): void {
  if (/[0-9]/.test(text.peek())) {
    text.push(text.remember({ kind: 'identifier', text: text.identifier() }));
    return;
  }
  const letter = text.take();
  if (!readTypeOperator(text, letter) && !readEntityOperator(text, letter)) throw new NotDemangled();
}
