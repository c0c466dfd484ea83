import type { ByteWindow } from './byte-window.js';

/** What the sections of a WebAssembly module say about its debug information (WebAssembly/tool-conventions). */
export interface WasmFacts {
  buildId: string | null;
  mapAddress: string | null;
  /** Where the linker put the DWARF; `true` means in the module. */
  dwarf: string | boolean;
}

const MODULE = Buffer.from('0061736d01000000', 'hex');
const CUSTOM = 0;
/** More sections than any linker writes. */
const MOST_SECTIONS = 1_000;
const HEAD_BYTES = 512;

/** Reads a module's section headers; null for any other file. */
export async function wasmFacts(bytes: ByteWindow): Promise<WasmFacts | null> {
  if (!(await bytes.at(0, MODULE.length)).equals(MODULE)) return null;
  const facts: WasmFacts = { buildId: null, mapAddress: null, dwarf: false };
  for (let at = MODULE.length, count = 0; at < bytes.size && count < MOST_SECTIONS; count++) {
    const head = await bytes.at(at, HEAD_BYTES);
    const [size, body] = leb128(head, 1);
    if (head[0] === CUSTOM) note(facts, head.subarray(body));
    at += body + size;
  }
  return facts;
}

function note(facts: WasmFacts, section: Buffer): void {
  const [name, end] = vector(section, 0);
  const content = () => vector(section, end)[0];
  if (name.toString() === 'build_id') facts.buildId = content().toString('hex');
  if (name.toString() === 'sourceMappingURL') facts.mapAddress = content().toString();
  if (name.toString() === 'external_debug_info') facts.dwarf = content().toString();
  if (name.toString() === '.debug_info') facts.dwarf ||= true;
}

/** Length-prefixed bytes, and where they end. */
function vector(bytes: Buffer, at: number): [content: Buffer, end: number] {
  const [length, start] = leb128(bytes, at);
  return [bytes.subarray(start, start + length), start + length];
}

/** An unsigned number, and where it ends. */
function leb128(bytes: Buffer, at: number): [value: number, end: number] {
  let value = 0;
  for (let shift = 0; shift < 5; shift++) {
    const byte = bytes[at++] ?? 0;
    value += (byte & 127) * 128 ** shift;
    if (byte < 128) break;
  }
  return [value, at];
}
