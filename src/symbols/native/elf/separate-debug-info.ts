import { ByteReader } from '../byte-reader.js';
import { textAt } from '../text-at.js';

/** A section's content by its name; empty when absent. */
type Contents = (name: string) => Uint8Array;

/**
 * What the debug information in the file lacks, or where it is if the file has none, shown to the uploader; null
 * without any sign of more. The names of separate files are in `.gnu_debuglink`, `.gnu_debugaltlink` and `.debug_sup`
 * (DWARF 5, section 7.3.6).
 */
export function separateDebugInfo(contents: Contents): string | null {
  const has = (name: string): boolean => contents(name).length > 0;
  const supplement = supplementOf(contents);
  if (supplement !== null)
    return `Part of its debug information is in a supplementary file${named(supplement)}, which is not read: some functions have the name of their symbol, or none. Upload the file from before "dwz -m".`;
  if (has('.debug_info') || has('.zdebug_info')) return null;
  if (has('.gnu_debuglink'))
    return `Its debug information is in a separate file${named(textAt(contents('.gnu_debuglink'), 0))}. Upload that one.`;
  return has('.stab')
    ? 'Its debug information has the format stabs, which is not supported. Compile with -gdwarf.'
    : null;
}

function supplementOf(contents: Contents): string | null {
  const ofGnu = contents('.gnu_debugaltlink');
  if (ofGnu.length > 0) return textAt(ofGnu, 0);
  const reader = new ByteReader(contents('.debug_sup'));
  if (reader.bytes.length < 4) return null;
  reader.skip(2);
  const isSupplement = reader.u8() !== 0;
  return isSupplement ? null : textAt(reader.bytes, reader.pos);
}

/** The path as the file has it, which may be damaged. */
const named = (path: string): string => (/^[\x20-\x7e]{1,300}$/.test(path) ? ` (${path})` : '');
