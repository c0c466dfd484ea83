import { readBreakpadModule } from '../breakpad/breakpad-file.js';
import { convertBreakpad } from '../breakpad/convert-breakpad.js';
import { elfKeys } from '../match-key.js';
import type { ConvertedTable } from './converted-file.js';

const WITHOUT_LINES = 'These Breakpad symbols have no lines; dump them from the file that has debug information.';

/** The table of Breakpad's symbols, under the debug id and the build id that it was made of; null when the file is not one. */
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
