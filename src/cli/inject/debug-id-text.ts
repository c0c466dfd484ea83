import { createHash } from 'node:crypto';

/** What a script says of its debug id and its map. */
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
const MAP_ADDRESS = /^[ \t]*\/\/[#@] sourceMappingURL=(\S+)[ \t]*$/gm;
/** Directives must stay the first statements; before them may stand a hashbang, comments and white space. */
const PROLOGUE =
  /^(?:\uFEFF)?(?:#![^\n]*\n?)?(?:(?:\s|\/\/[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*(?:"[^"\\\n]*"|'[^'\\\n]*')[ \t]*(?:;|(?=\r?\n|$)))*/;

/** Reads the marks of a script (ECMA-426's `sourceMappingURL`, and its proposal for debug ids). */
export function marksOf(script: string): ScriptMarks {
  return {
    debugId: [...script.matchAll(COMMENT_ID)].at(-1)?.[1]?.toLowerCase() ?? null,
    snippetId: SNIPPET_ID.exec(script)?.[1]?.toLowerCase() ?? null,
    mapAddress: [...script.matchAll(MAP_ADDRESS)].at(-1)?.[1] ?? null,
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
  const at = PROLOGUE.exec(script)?.[0].length ?? 0;
  const before = script.slice(0, at);
  const line = before.split('\n').length - 1;
  const column = before.length - (before.lastIndexOf('\n') + 1);
  const isAtStart = before === '' || before.endsWith('\n');
  return {
    script: `${before}${isAtStart ? '' : '\n'}${snippetOf(id)}\n${script.slice(at)}`,
    place: { line, column },
    lines: isAtStart ? 1 : 2,
  };
}

/** A script with the comment that names its debug id, before the one that names its map. */
export function withComment(script: string, id: string): string {
  const last = [...script.matchAll(MAP_ADDRESS)].at(-1);
  const comment = `//# debugId=${id}\n`;
  if (last === undefined) return `${script}${script.endsWith('\n') ? '' : '\n'}${comment}`;
  return script.slice(0, last.index) + comment + script.slice(last.index);
}
