import { fileOf } from './stack-lines.js';

/**
 * Globals in which `quarterdeck symbols inject` and bundler plugins register debug ids: a stack of each script → its
 * id.
 */
interface WithDebugIds {
  readonly _quarterdeckDebugIds?: Readonly<Record<string, string>>;
  readonly _sentryDebugIds?: Readonly<Record<string, string>>;
}

/** The page's scripts with a debug id, as images of a crash report. */
export function scriptImages(): { type: 'sourcemap'; code_file: string; debug_id: string }[] {
  const { _quarterdeckDebugIds, _sentryDebugIds } = globalThis as WithDebugIds;
  const ids = { ..._sentryDebugIds, ..._quarterdeckDebugIds };
  return Object.entries(ids).flatMap(([stack, debug_id]) => {
    const file = fileOf(stack);
    return file ? [{ type: 'sourcemap' as const, code_file: file, debug_id }] : [];
  });
}
