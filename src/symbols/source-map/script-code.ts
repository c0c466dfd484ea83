import { dashedUuid } from '../match-key.js';
import { SymbolFileError } from '../symbol-file-error.js';
import type { ScriptFrame } from './resolve-frame.js';
import { everyLineStart, type SourceContext, sourceContext } from './source-context.js';

export interface ScriptCode {
  /** The code around a frame's position; null past its end. */
  context(frame: ScriptFrame): SourceContext | null;
}

/** No page or app loads a larger script. */
const MAX_BYTES = 32 * 1024 * 1024;
const NO_SCRIPT = 'The file is neither a source map nor a script in UTF-8.';
const HERMES = Buffer.from('c61fbc03c103191f', 'hex');
/** Bun writes ids without dashes. */
const DEBUG_ID = /^\/\/# debugId=([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32})[ \t]*$/gim;

/**
 * Checks that a file is a script's text, and reads the debug id in its comment (ECMA-426's proposal).
 *
 * @returns the text without its byte order mark, which runtimes strip before they count columns
 * @throws SymbolFileError `not_recognized`, `too_large`
 */
export function readScript(bytes: Uint8Array): { table: Uint8Array; debugId: string | null } {
  if (HERMES.equals(bytes.subarray(0, HERMES.length)))
    throw new SymbolFileError(
      'not_recognized',
      'Hermes bytecode is not supported. Upload the source map made by Metro and hermesc.',
    );
  if (bytes.byteLength > MAX_BYTES)
    throw new SymbolFileError(
      'too_large',
      `The script is larger than ${MAX_BYTES / 1024 / 1024} MiB. Upload its source map instead.`,
    );
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new SymbolFileError('not_recognized', NO_SCRIPT);
  }
  if (text.includes('\0')) throw new SymbolFileError('not_recognized', NO_SCRIPT);
  if (/^\s*</.test(text))
    throw new SymbolFileError(
      'not_recognized',
      'The file is an HTML page, which servers often return for a missing script.',
    );
  const id = [...text.matchAll(DEBUG_ID)].at(-1)?.[1];
  return { table: Buffer.from(text), debugId: id === undefined ? null : dashedUuid(id) };
}

/** Opens a script's table, which is its text. */
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
