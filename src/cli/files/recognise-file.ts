import { readFile } from 'node:fs/promises';
import { inlineMap, marksOf } from '../inject/debug-id-text.js';
import { ByteWindow } from './byte-window.js';
import { type ElfFacts, elfFacts } from './elf-file.js';
import { foreignFile } from './foreign-file.js';
import { machoFacts } from './macho-file.js';
import { isScriptName } from './script-text.js';
import { type WasmFacts, wasmFacts } from './wasm-file.js';

export const KINDS = ['js_sourcemap', 'ios_dsym', 'android_mapping', 'android_ndk', 'flutter_symbols'] as const;
export type Kind = (typeof KINDS)[number];

export interface Recognised {
  /** The kind it is uploaded as; null when it has no symbols. */
  kind: Kind | null;
  /** As shown to the user: `native library, arm64, with debug information`. */
  what: string;
  /** The ids that crash events use for it. */
  ids: string[];
  /** Its level of detail: `names` for symbol names only, `code` for a script without its map. */
  detail: 'full' | 'names' | 'code' | null;
  isArchive?: true;
  packedBy?: 'gzip' | 'zstd';
  /** It contains symbols that the server cannot read as they are. */
  isUnusable?: true;
  /** A script with an inline source map. */
  isScript?: true;
  /** The URL of a script's map, as in its comment. */
  mapAddress?: string;
  /** An executable or library; its symbols may be elsewhere. */
  isImage?: true;
}

const HEAD_BYTES = 64 * 1024;
const ZIP = 0x504b0304;
const EMPTY_ZIP = 0x504b0506;

/** Reads just enough of a file to recognize it; null when it is unknown. Rethrows read errors. */
export function recogniseFile(path: string): Promise<Recognised | null> {
  return ByteWindow.over(path, async (bytes) => {
    const head = await bytes.at(0, HEAD_BYTES);
    const magic = head.length < 4 ? 0 : head.readUInt32BE(0);
    if (magic === ZIP || magic === EMPTY_ZIP)
      return { kind: null, what: 'zip archive', ids: [], detail: null, isArchive: true };
    const elf = await elfFacts(bytes);
    if (elf) return ofElf(elf);
    const images = await machoFacts(bytes);
    if (images.length > 0) return ofMacho(images);
    const wasm = await wasmFacts(bytes);
    if (wasm) return ofWasm(wasm);
    return (await sourceMap(bytes, head)) ?? mapping(head) ?? breakpad(head) ?? foreign(head) ?? (await script(path));
  });
}

function ofElf({ arch, buildId, type, hasDebugInfo, hasSymbols, split, isDart }: ElfFacts): Recognised | null {
  const ids = buildId === null ? [] : [buildId];
  if (split === 'unit')
    return {
      kind: null,
      what: `.dwo file, ${arch}: package it with llvm-dwp or dwp and upload the .dwp`,
      ids,
      detail: null,
      isUnusable: true,
    };
  if (split === 'package')
    return { kind: 'android_ndk', what: `split debug information package, ${arch}`, ids, detail: 'full' };
  if (type === 'object')
    return { kind: null, what: `object file, ${arch}: upload the binary it is linked into`, ids, detail: null };
  if (type === 'core')
    return { kind: null, what: `core dump, ${arch}: upload the program and its libraries`, ids, detail: null };
  if (isDart && hasDebugInfo) return { kind: 'flutter_symbols', what: `Flutter symbols, ${arch}`, ids, detail: 'full' };
  const has = hasDebugInfo ? 'with debug information' : hasSymbols ? 'with symbol names only' : 'stripped';
  const detail = hasDebugInfo ? 'full' : 'names';
  const unnamed = buildId === null ? ', without a build id: link it with -Wl,--build-id' : '';
  return { kind: 'android_ndk', what: `native image, ${arch}, ${has}${unnamed}`, ids, detail, isImage: true };
}

function ofMacho(images: { arch: string; uuid: string | null; isDsym: boolean }[]): Recognised {
  const ids = images.flatMap(({ uuid }) => uuid ?? []);
  const arches = images.map(({ arch }) => arch).join(', ');
  if (images.every(({ isDsym }) => isDsym)) return { kind: 'ios_dsym', what: `dSYM, ${arches}`, ids, detail: 'full' };
  return { kind: null, what: `Apple image, ${arches}: its symbols are in its dSYM`, ids, detail: null, isImage: true };
}

function ofWasm({ buildId, mapAddress, dwarf }: WasmFacts): Recognised {
  const inMap =
    mapAddress === null ? 'build it with a source map and upload the map' : `upload its source map, ${mapAddress}`;
  const inDwarf = dwarf === false ? '' : `; its DWARF ${dwarf === true ? '' : `in ${dwarf} `}is not supported`;
  const ids = buildId === null ? [] : [buildId];
  return { kind: null, what: `WebAssembly module: ${inMap}${inDwarf}`, ids, detail: null };
}

/** A JSON object with `"version": 3` and a key unique to source maps near its start or end (ECMA-426). */
async function sourceMap(bytes: ByteWindow, head: Buffer): Promise<Recognised | null> {
  const begin = head.toString('utf8');
  if (!/^(?:\uFEFF)?(?:\)\]\}'[^\n]*\n)?\s*\{/.test(begin)) return null;
  const end = (await bytes.at(Math.max(0, bytes.size - HEAD_BYTES), HEAD_BYTES)).toString('utf8');
  const ends = `${begin}\n${end}`;
  if (!/"version"\s*:\s*3\s*[,}]/.test(ends) || !/"(?:mappings|sections|sources)"\s*:/.test(ends)) return null;
  const id = /"debug_?[iI]d"\s*:\s*"([0-9a-fA-F-]{32,36})"/.exec(ends)?.[1];
  return { kind: 'js_sourcemap', what: 'source map', ids: id ? [id.toLowerCase()] : [], detail: 'full' };
}

/** Breakpad's text format begins with the system, the architecture, and the id followed by an age. */
function breakpad(head: Buffer): Recognised | null {
  const [, os, arch, id] =
    /^MODULE (\S+) (\S+) ([0-9A-Fa-f]{32})[0-9A-Fa-f]{0,9}[ \r\n]/.exec(head.toString('latin1', 0, 4096)) ?? [];
  if (os === undefined || id === undefined) return null;
  const kind = /^(?:mac|ios)$/i.test(os) ? 'ios_dsym' : 'android_ndk';
  return { kind, what: `Breakpad symbols, ${os} ${arch}`, ids: [id.toLowerCase()], detail: 'full' };
}

function foreign(head: Buffer): Recognised | null {
  const file = foreignFile(head);
  if (file === null) return null;
  const { what, packedBy, hasSymbols } = file;
  return {
    kind: null,
    what,
    ids: [],
    detail: null,
    ...(packedBy && { packedBy }),
    ...(hasSymbols && { isUnusable: true }),
  };
}

/** A script, with or without an inline source map. */
async function script(path: string): Promise<Recognised | null> {
  if (!isScriptName(path)) return null;
  const text = await readFile(path, 'utf8');
  const { mapAddress, debugId } = marksOf(text);
  const ids = debugId === null ? [] : [debugId];
  if (inlineMap(mapAddress) === null)
    return { kind: 'js_sourcemap', what: 'script', ids, detail: 'code', ...(mapAddress !== null && { mapAddress }) };
  return { kind: 'js_sourcemap', what: 'script with an inline source map', ids, detail: 'full', isScript: true };
}

/** Lines such as `a.Name -> b:` after compiler comments; an R8 mapping that renames nothing has only comments. */
function mapping(head: Buffer): Recognised | null {
  if (head.includes(0)) return null;
  const lines = head.toString('utf8').split(/\r?\n/);
  const first = lines.find((line) => line !== '' && !line.startsWith('#')) ?? '';
  const isOfR8 = lines.some((line) => /^# (?:compiler: R8|pg_map_id: )/.test(line));
  if (!/^[^\s:]+ -> [^\s:]+:$/.test(first) && !(first === '' && isOfR8)) return null;
  const id = lines.map((line) => /^# pg_map_id: (\S+)/.exec(line)?.[1]).find(Boolean);
  return { kind: 'android_mapping', what: 'R8 or ProGuard mapping', ids: id ? [id] : [], detail: 'full' };
}
