import { MangledText } from './mangled-text.js';
import { readEncoding } from './name-reader.js';
import { demangleRust } from './rust/demangle-rust.js';
import { demangleSwift } from './swift/demangle-swift.js';
import { NotDemangled } from './text-cursor.js';

const LONGEST = 8192;

/**
 * Demangles a symbol name: C++ (Itanium C++ ABI, section 5.1) as LLVM prints it, Rust and Swift as their own tools do.
 * Other names, and those with unsupported parts (complex expressions in C++ signatures), stay unchanged.
 */
export function demangleSymbol(name: string): string {
  if (name.length > LONGEST) return name;
  return demangleRust(name) ?? demangleSwift(name) ?? demangleCpp(name);
}

function demangleCpp(name: string): string {
  const start = /^_{0,3}Z(?=[A-Z0-9a-z])/.exec(name);
  if (!start || start[0].length < 2) return name;
  const text = new MangledText(name);
  text.pos = start[0].length;
  try {
    const plain = readEncoding(text);
    const rest = name.slice(text.pos);
    // A constraint only separates overloads that cannot be called with the same arguments; its expression is left out.
    if (rest === '' || rest.startsWith('Q')) return plain;
    if (rest.startsWith('@')) return plain + rest;
    return rest.startsWith('.') ? `${plain} (${rest})` : name;
  } catch (error) {
    if (error instanceof NotDemangled) return name;
    throw error;
  }
}
