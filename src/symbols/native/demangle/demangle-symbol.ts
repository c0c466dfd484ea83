import { MangledText, NotDemangled } from './mangled-text.js';
import { readEncoding } from './name-reader.js';

const LONGEST = 8192;

/**
 * A C++ symbol's name as source would write it (Itanium C++ ABI, section 5.1), the way LLVM writes it. Names of other
 * kinds, and C++ names that use what is not read (complex expressions in signatures), stay as they are.
 */
export function demangleSymbol(name: string): string {
  const start = /^_{0,3}Z(?=[A-Z0-9a-z])/.exec(name);
  if (!start || start[0].length < 2 || name.length > LONGEST) return name;
  const text = new MangledText(name);
  text.pos = start[0].length;
  try {
    const plain = readEncoding(text);
    const rest = name.slice(text.pos);
    if (rest === '') return plain;
    if (rest.startsWith('@')) return plain + rest;
    return rest.startsWith('.') ? `${plain} (${rest})` : name;
  } catch (error) {
    if (error instanceof NotDemangled) return name;
    throw error;
  }
}
