import { parentPort } from 'node:worker_threads';
import { openMapping } from '../retrace/mapping.js';
import { sourceMapResolver } from '../source-map/resolve-frame.js';
import { openScript } from '../source-map/script-code.js';
import { openSourceMap } from '../source-map/source-map-table.js';
import { openTable } from '../table/open-table.js';
import { type CrashPayload, type CrashText, crashInput } from './crash-payload.js';
import { withSettled } from './settled-crash.js';
import type { NativeSymbols, SymbolSource } from './symbol-source.js';
import { symbolicate } from './symbolicate.js';
import type { FromThread, TableAnswer, TableQuery, ToThread } from './symbolication-protocol.js';
import { type WrittenCrash, writtenCrash } from './written-crash.js';

const CACHED_BYTES = 256 * 1024 * 1024;
/** Slower crashes are answered individually. */
const TOGETHER_MS = 250;

type Answered = Extract<ToThread, { type: 'table' | 'bytes' }>;
type Call<T> = T extends { call: number } ? Omit<T, 'call'> : never;

const opened = new Map<string, { value: unknown; bytes: number }>();
/** Query results for crashes sent together, not kept longer because symbols change. */
const found = new Map<string, Promise<TableAnswer | null>>();
const waiting = new Map<number, (answer: Answered) => void>();
let calls = 0;

function ask(message: Call<FromThread>): Promise<Answered> {
  const call = ++calls;
  return new Promise((resolve) => {
    waiting.set(call, resolve);
    parentPort?.postMessage({ ...message, call });
  });
}

/** Requests the same table of several crashes once. */
function find(query: TableQuery): Promise<TableAnswer | null> {
  const question = JSON.stringify(query);
  const answer =
    found.get(question) ?? ask({ type: 'find', query }).then((reply) => (reply.type === 'table' ? reply.answer : null));
  found.set(question, answer);
  return answer;
}

/** Opens a table once and evicts the least recently used ones. */
async function open<T>(id: string, read: (bytes: Uint8Array) => T): Promise<T | null> {
  const known = opened.get(id);
  if (known !== undefined) {
    opened.delete(id);
    opened.set(id, known);
    return known.value as T;
  }
  const reply = await ask({ type: 'load', id });
  const bytes = reply.type === 'bytes' ? reply.bytes : null;
  if (bytes === null) return null;
  const value = read(bytes);
  opened.set(id, { value, bytes: bytes.byteLength });
  let total = [...opened.values()].reduce((sum, entry) => sum + entry.bytes, 0);
  for (const [other, entry] of opened) {
    if (total <= CACHED_BYTES || other === id) break;
    opened.delete(other);
    total -= entry.bytes;
  }
  return value;
}

async function findAndOpen<T>(query: TableQuery, read: (bytes: Uint8Array) => T): Promise<T | null> {
  const answer = await find(query);
  return answer === null ? null : open(answer.id, read);
}

async function native(query: TableQuery): Promise<NativeSymbols | null> {
  const answer = await find(query);
  const table = answer === null ? null : await open(answer.id, openTable);
  if (answer === null || table === null) return null;
  const { dartSections } = answer;
  const address = (hex: string | null): bigint | null => (hex === null ? null : BigInt(`0x${hex}`));
  return {
    table,
    dartSections: dartSections && { isolate: address(dartSections.isolate), vm: address(dartSections.vm) },
  };
}

const sourceOf = (release: string | null): SymbolSource => ({
  native: (keys, arch) => native({ format: 'native', byRelease: null, keys, script: null, arch, release }),
  flutter: (keys, arch, unlessId = null) => {
    const byRelease = keys.length > 0 ? null : ({ kind: 'flutter_symbols', unlessId } as const);
    return native({ format: 'native', byRelease, keys, script: null, arch, release });
  },
  sourceMap: (keys, script) =>
    findAndOpen({ format: 'source_map', byRelease: null, keys, script, arch: null, release }, (bytes) =>
      sourceMapResolver(openSourceMap(bytes)),
    ),
  script: (keys, script) =>
    findAndOpen({ format: 'script', byRelease: null, keys, script, arch: null, release }, openScript),
  mapping: (keys, unlessId = null) => {
    const byRelease = keys.length > 0 ? null : ({ kind: 'android_mapping', unlessId } as const);
    return findAndOpen({ format: 'mapping', byRelease, keys, script: null, arch: null, release }, openMapping);
  },
});

/** Postpones crashes when earlier ones took long, so that the time limit applies to each one. */
async function symbolicateSome(crashes: CrashText[]): Promise<WrittenCrash[]> {
  const began = performance.now();
  found.clear();
  const results: WrittenCrash[] = [];
  for (const crash of crashes) {
    const payload = JSON.parse(crash.payload) as CrashPayload;
    const input = crashInput(crash, payload);
    const symbolicated = await symbolicate(input, sourceOf(crash.release));
    const whole = crash.settled ? withSettled(symbolicated, crash.settled, payload) : symbolicated;
    results.push(writtenCrash(whole, input.frames, payload));
    if (performance.now() - began > TOGETHER_MS) break;
  }
  return results;
}

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'crashes') {
    void symbolicateSome(message.crashes).then((results) => parentPort?.postMessage({ type: 'done', results }));
    return;
  }
  waiting.get(message.call)?.(message);
  waiting.delete(message.call);
});
