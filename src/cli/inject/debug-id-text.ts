import { createHash } from 'node:crypto';
import { isCodeOver, prologueLength } from './script-prologue.js';

/** The debug id and map that a script names. */
export interface ScriptMarks {
  debugId: string | null;
  /** The ids in snippets, which register them at run time; a bundle may contain those of libraries. */
  snippetIds: string[];
  /** The URL of its map, as in the comment. */
  mapAddress: string | null;
}

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const SNIPPET_ID = new RegExp(`_quarterdeckDebugIds\\|\\|\\{\\}\\)\\[s\\]="(${UUID})"`, 'g');
/** Bun writes ids without dashes. */
const COMMENT_ID = new RegExp(`^//# debugId=(${UUID}|[0-9a-fA-F]{32})[ \\t]*$`, 'gm');
/** On its own line or after code; inside a string literal a quotation mark would follow. */
const MAP_ADDRESS =
  /^[ \t]*\/\/[#@] ?sourceMappingURL=(\S+)[ \t]*$|(?<=[;})\]][ \t]*)\/\/[#@] ?sourceMappingURL=([^\s'"`]+)[ \t]*$/gm;

/**
 * Reads a script's `sourceMappingURL` (ECMA-426) and debug id comments (its proposal). Those that code follows are in a
 * string or belong to a library.
 */
export function marksOf(script: string): ScriptMarks {
  return {
    debugId: uuidOf(lastComment(script, COMMENT_ID)?.[1]),
    snippetIds: [...script.matchAll(SNIPPET_ID)].map(([, id = '']) => id.toLowerCase()),
    mapAddress: lastAddress(script)?.address ?? null,
  };
}

/** An id as a lowercase UUID with dashes; null when it is none. */
export function uuidOf(id: unknown): string | null {
  const digits = typeof id === 'string' ? id.toLowerCase().replaceAll('-', '') : '';
  return /^[0-9a-f]{32}$/.test(digits) ? digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null;
}

/** A UUID version 8 (RFC 9562) that depends only on the script and map, so rebuilding keeps it. */
export function debugIdOf(script: string, map: string): string {
  const bytes = createHash('sha256').update(script).update('\0').update(map).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return uuidOf(bytes.toString('hex')) as string;
}

/** Registers the script's id under its stack at run time; runs in every engine of the last fifteen years. */
const snippetOf = (id: string): string =>
  `;!function(){try{var g="undefined"!=typeof globalThis?globalThis:"undefined"!=typeof self?self:global,s=(new g.Error).stack;s&&((g._quarterdeckDebugIds=g._quarterdeckDebugIds||{})[s]="${id}")}catch(e){}}();`;

/** A script with its snippet on its own line, plus where the code after it moved from and by how many lines. */
export function withSnippet(
  script: string,
  id: string,
): { script: string; place: { line: number; column: number }; lines: number } {
  const before = script.slice(0, prologueLength(script));
  // Runtimes strip the mark before they count columns.
  const lines = before.replace(/^\uFEFF/, '').split(/\r\n|[\n\r\u2028\u2029]/);
  const column = lines.at(-1)?.length ?? 0;
  return {
    script: `${before}${column === 0 ? '' : '\n'}${snippetOf(id)}\n${script.slice(before.length)}`,
    place: { line: lines.length - 1, column },
    lines: column === 0 ? 1 : 2,
  };
}

/** The scripts this one may come from: line breaks around the marks may belong to the script or to us. */
export function unmarked(script: string, id: string): string[] {
  return withoutSnippet(script, id).flatMap((text) => without(text, `//# debugId=${id}\n`));
}

/** The scripts this one may come from, before the snippet was added. */
export const withoutSnippet = (script: string, id: string): string[] => without(script, `${snippetOf(id)}\n`);

/** The text without its last matching lines and the line break before them. */
function without(text: string, lines: string): string[] {
  const at = text.lastIndexOf(lines);
  if (at < 0) return [];
  const rest = text.slice(at + lines.length);
  return [text.slice(0, at) + rest, ...(text[at - 1] === '\n' ? [text.slice(0, at - 1) + rest] : [])];
}

/** A script with its debug id comment, placed before its source map comment. */
export function withComment(script: string, id: string): string {
  const comment = `//# debugId=${id}\n`;
  const at = lastAddress(script)?.commentAt ?? script.length;
  const isOnNewLine = at === 0 || script[at - 1] === '\n';
  return script.slice(0, at) + (isOnNewLine ? '' : '\n') + comment + script.slice(at);
}

export function withInlineMap(script: string, map: string): string {
  const { address, commentAt } = lastAddress(script) as Address;
  const at = script.indexOf(address, commentAt);
  return `${script.slice(0, at)}${inlineAddress(map)}${script.slice(at + address.length)}`;
}

/** The map in a `data:` URL (RFC 2397); null for any other URL. */
export function inlineMap(address: string | null): string | null {
  const [, base64, data = ''] = /^data:application\/json[^,]*?(;base64)?,(.*)$/is.exec(address ?? '') ?? [];
  if (data === '') return null;
  try {
    return base64 ? Buffer.from(data, 'base64').toString('utf8') : decodeURIComponent(data);
  } catch {
    return null;
  }
}

const inlineAddress = (map: string): string =>
  `data:application/json;charset=utf-8;base64,${Buffer.from(map).toString('base64')}`;

interface Address {
  address: string;
  /** Where the comment begins. */
  commentAt: number;
}

function lastAddress(script: string): Address | null {
  const last = lastComment(script, MAP_ADDRESS);
  const address = last?.[1] ?? last?.[2];
  return address === undefined || last === null ? null : { address, commentAt: last.index };
}

/** The last match, unless code follows it. */
function lastComment(script: string, comment: RegExp): RegExpExecArray | null {
  const last = [...script.matchAll(comment)].at(-1);
  return last !== undefined && isCodeOver(script, last.index + last[0].length) ? last : null;
}
