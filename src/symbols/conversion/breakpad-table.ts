import { readBreakpadModule } from '../breakpad/breakpad-file.js';
import { convertBreakpad } from '../breakpad/convert-breakpad.js';
import { elfKeys } from '../match-key.js';
import type { ConvertedTable } from './converted-file.js';

const WITHOUT_LINES = 'These Breakpad symbols have no line numbers. Run dump_syms on the file with debug information.';

/** Converts a Breakpad file into a table under its debug id and the build id behind it; null for any other file. */
export function breakpadTable(bytes: Uint8Array, packedSize: number): { id: string; table: ConvertedTable } | null {
  const module = readBreakpadModule(bytes);
  if (module === null) return null;
  const { table, hasDebugInfo } = convertBreakpad(bytes, packedSize);
  return {
    id: module.id,
    table: {
      format: 'native',
      keys: elfKeys(module.id),
      arch: module.arch,
      detail: hasDebugInfo ? 'full' : 'names',
      detailReason: hasDebugInfo ? null : WITHOUT_LINES,
      dartSections: null,
      table,
    },
  };
}
