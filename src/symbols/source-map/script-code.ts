import { SymbolFileError } from '../symbol-file-error.js';
import type { ScriptFrame } from './resolve-frame.js';
import { everyLineStart, type SourceContext, sourceContext } from './source-context.js';

/** The code of a script as it runs. */
export interface ScriptCode {
  /** The code around a frame's place; null past its end. */
  context(frame: ScriptFrame): SourceContext | null;
}

/** More is not a script that a page or an app loads. */
const MAX_BYTES = 32 * 1024 * 1024;
const NO_SCRIPT = 'It is neither a source map nor the text of a script in UTF-8.';
const HERMES = Buffer.from('c61fbc03c103191f', 'hex');
const DEBUG_ID = /^\/\/# debugId=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[ \t]*$/gim;

/**
 * Checks that a file is the text of a script, and reads the debug id that its comment names (ECMA-426's proposal).
 *
 * @returns the text without its byte order mark, which runtimes take away before they count columns
 * @throws SymbolFileError `not_recognized`, `too_large`
 */
export function readScript(bytes: Uint8Array): { table: Uint8Array; debugId: string | null } {
  if (HERMES.equals(bytes.subarray(0, HERMES.length)))
    throw new SymbolFileError(
      'not_recognized',
      'Hermes bytecode is not read: upload the map that Metro and hermesc made.',
    );
  if (bytes.byteLength > MAX_BYTES)
    throw new SymbolFileError('too_large', `A script may have ${MAX_BYTES / 1024 / 1024} MiB; upload its source map.`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SymbolFileError('not_recognized', NO_SCRIPT);
  }
  if (text.includes('\0')) throw new SymbolFileError('not_recognized', NO_SCRIPT);
  if (/^\s*</.test(text))
    throw new SymbolFileError('not_recognized', 'It is a page of markup, as servers answer where a script is missing.');
  return { table: Buffer.from(text), debugId: [...text.matchAll(DEBUG_ID)].at(-1)?.[1]?.toLowerCase() ?? null };
}

/** Opens the table of a script: its text. */
export function openScript(table: Uint8Array): ScriptCode {
  const text = Buffer.from(table.buffer, table.byteOffset, table.byteLength).toString('utf8');
  const starts = everyLineStart(text);
  return {
    context({ line, column }) {
      const context = sourceContext(text, line - 1, column - 1, starts);
      return context && { ...context, isGenerated: true };
    },
  };
}
