import { createHash } from 'node:crypto';
import { prologueLength } from './script-prologue.js';

/** What a script says about its debug id and its map. */
export interface ScriptMarks {
  debugId: string | null;
  /** The id of its snippet, which tells the runtime. */
  snippetId: string | null;
  /** The address of its map, as the comment has it. */
  mapAddress: string | null;
}

const UUID = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';
const SNIPPET_ID = new RegExp(`_quarterdeckDebugIds\\|\\|\\{\\}\\)\\[s\\]="(${UUID})"`);
const COMMENT_ID = new RegExp(`^//# debugId=(${UUID})[ \\t]*$`, 'gm');
/** On a line of its own, or behind the code of one; in a string of code a quotation mark would follow. */
const MAP_ADDRESS =
  /^[ \t]*\/\/[#@] ?sourceMappingURL=(\S+)[ \t]*$|(?<=[;})\]][ \t]*)\/\/[#@] ?sourceMappingURL=([^\s'"`]+)[ \t]*$/gm;

/** Reads the marks of a script (ECMA-426's `sourceMappingURL`, and its proposal for debug ids). */
export function marksOf(script: string): ScriptMarks {
  return {
    debugId: [...script.matchAll(COMMENT_ID)].at(-1)?.[1]?.toLowerCase() ?? null,
    snippetId: SNIPPET_ID.exec(script)?.[1]?.toLowerCase() ?? null,
    mapAddress: lastAddress(script)?.address ?? null,
  };
}

/** The same for the same script and map, so that a build which is made again keeps it; a UUID of version 8 (RFC 9562). */
export function debugIdOf(script: string, map: string): string {
  const bytes = createHash('sha256').update(script).update('\0').update(map).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Notes under which stack the runtime knows the script; runs in every engine of the last fifteen years, and harms none. */
const snippetOf = (id: string): string =>
  `;!function(){try{var g="undefined"!=typeof globalThis?globalThis:"undefined"!=typeof self?self:global,s=(new g.Error).stack;s&&((g._quarterdeckDebugIds=g._quarterdeckDebugIds||{})[s]="${id}")}catch(e){}}();`;

/** A script with its snippet on a line of its own, and where and by how many lines what is behind it moved. */
export function withSnippet(
  script: string,
  id: string,
): { script: string; place: { line: number; column: number }; lines: number } {
  const before = script.slice(0, prologueLength(script));
  // Runtimes take the mark away before they count columns.
  const lines = before.replace(/^\uFEFF/, '').split('\n');
  const column = lines.at(-1)?.length ?? 0;
  return {
    script: `${before}${column === 0 ? '' : '\n'}${snippetOf(id)}\n${script.slice(before.length)}`,
    place: { line: lines.length - 1, column },
    lines: column === 0 ? 1 : 2,
  };
}

/** The scripts that became this one when they were given an id: of line breaks around its marks it cannot be told whose they are. */
export function unmarked(script: string, id: string): string[] {
  return withoutSnippet(script, id).flatMap((text) => without(text, `//# debugId=${id}\n`));
}

/** The scripts that became this one when they were given the snippet. */
export const withoutSnippet = (script: string, id: string): string[] => without(script, `${snippetOf(id)}\n`);

/** The text without its last such lines, and without the break before them. */
function without(text: string, lines: string): string[] {
  const at = text.lastIndexOf(lines);
  if (at < 0) return [];
  const rest = text.slice(at + lines.length);
  return [text.slice(0, at) + rest, ...(text[at - 1] === '\n' ? [text.slice(0, at - 1) + rest] : [])];
}

/** A script with the comment that names its debug id, before the one that names its map. */
export function withComment(script: string, id: string): string {
  const comment = `//# debugId=${id}\n`;
  const at = lastAddress(script)?.commentAt ?? script.length;
  const isOnNewLine = at === 0 || script[at - 1] === '\n';
  return script.slice(0, at) + (isOnNewLine ? '' : '\n') + comment + script.slice(at);
}

/** A script that has its map within, with another in its place. */
export function withInlineMap(script: string, map: string): string {
  const { address, commentAt } = lastAddress(script) as Address;
  const at = script.indexOf(address, commentAt);
  return `${script.slice(0, at)}${inlineAddress(map)}${script.slice(at + address.length)}`;
}

/** The text of a map whose address holds it (`data:`, RFC 2397); null for every other address. */
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
  /** Where its comment begins. */
  commentAt: number;
}

function lastAddress(script: string): Address | null {
  const last = [...script.matchAll(MAP_ADDRESS)].at(-1);
  const address = last?.[1] ?? last?.[2];
  return address === undefined || last === undefined ? null : { address, commentAt: last.index };
}
