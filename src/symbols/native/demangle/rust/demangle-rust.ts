import { NotDemangled } from '../text-cursor.js';
import { readLegacyName } from './legacy-name.js';
import { withSuffix } from './symbol-suffix.js';
import { printConstant } from './v0-constants.js';
import { printPath } from './v0-paths.js';
import { type V0Readers, V0Text } from './v0-text.js';
import { printType } from './v0-types.js';

const READERS: V0Readers = { type: printType, constant: (text) => printConstant(text, false) };

/**
 * Demangles a Rust symbol as rustc's own demangler does without hashes: `_R…` names (RFC 2603), or the legacy form that
 * looks like C++ and ends with a hash. Null for any other name.
 */
export function demangleRust(name: string): string | null {
  const isV0 = /^_{1,2}R[A-Z]/.test(name);
  if (!isV0 && !/^_{1,2}ZN.*17h[0-9a-f]{16}E/.test(name)) return null;
  const start = name.indexOf(isV0 ? 'R' : 'ZN') + (isV0 ? 1 : 2);
  // A suffix from the compiler's back end for symbols renamed between object files.
  const mangled = name.slice(start).replace(/\.llvm\.[0-9A-F@]+$/, '');
  return isV0 ? readV0Name(mangled) : readLegacyName(mangled);
}

function readV0Name(mangled: string): string | null {
  const text = new V0Text(mangled, READERS);
  try {
    printPath(text, true);
    if (/[A-Z]/.test(text.peek())) text.silently(() => printPath(text, false));
  } catch (error) {
    if (error instanceof NotDemangled) return null;
    throw error;
  }
  return withSuffix(text.written, mangled.slice(text.pos));
}
