import { uuidOf } from '../inject/debug-id-text.js';
import type { ByteWindow } from './byte-window.js';

export interface MachoFacts {
  arch: string;
  uuid: string | null;
  /** Part of a dSYM bundle: debug information without code. */
  isDsym: boolean;
}

const MACHO_64 = 0xcffaedfe;
const MACHO_32 = 0xcefaedfe;
const FAT = 0xcafebabe;
const FAT_64 = 0xcafebabf;
/**
 * Java classes begin like fat files, but have their version (45 or later) where fat files have the architecture count.
 */
const MOST_ARCHITECTURES = 20;
const MH_DSYM = 10;
const LC_UUID = 0x1b;
const MOST_COMMAND_BYTES = 1024 * 1024;

/** The architectures of a Mach-O or fat file; empty for any other file. */
export async function machoFacts(bytes: ByteWindow): Promise<MachoFacts[]> {
  const head = await bytes.at(0, 8 + MOST_ARCHITECTURES * 32);
  if (head.length < 28) return [];
  const magic = head.readUInt32BE(0);
  if (magic !== FAT && magic !== FAT_64) return single(bytes, 0);
  const size = magic === FAT ? 20 : 32;
  const count = head.readUInt32BE(4);
  if (count > MOST_ARCHITECTURES) return [];
  const found: MachoFacts[] = [];
  for (let index = 0; index < count && 8 + (index + 1) * size <= head.length; index++) {
    const at = 8 + index * size + 8;
    found.push(...(await single(bytes, magic === FAT ? head.readUInt32BE(at) : Number(head.readBigUInt64BE(at)))));
  }
  return found;
}

async function single(bytes: ByteWindow, start: number): Promise<MachoFacts[]> {
  const header = await bytes.at(start, 32);
  if (header.length < 28) return [];
  const magic = header.readUInt32BE(0);
  if (magic !== MACHO_64 && magic !== MACHO_32) return [];
  const size = Math.min(header.readUInt32LE(20), MOST_COMMAND_BYTES);
  const commands = await bytes.at(start + (magic === MACHO_64 ? 32 : 28), size);
  return [
    {
      arch: architectureOf(header.readUInt32LE(4), header.readUInt32LE(8)),
      uuid: uuidIn(commands),
      isDsym: header.readUInt32LE(12) === MH_DSYM,
    },
  ];
}

function architectureOf(type: number, subtype: number): string {
  if (type === 0x0100_000c) return (subtype & 0xff) === 2 ? 'arm64e' : 'arm64';
  const names: Record<number, string> = { 7: 'x86', 12: 'arm', 16777223: 'x86_64', 33554444: 'arm64_32' };
  return names[type] ?? `cpu ${type}`;
}

function uuidIn(commands: Buffer): string | null {
  for (let at = 0; at + 8 <= commands.length; ) {
    const size = commands.readUInt32LE(at + 4);
    if (size < 8) return null;
    if (commands.readUInt32LE(at) === LC_UUID && at + 24 <= commands.length) {
      return uuidOf(commands.toString('hex', at + 8, at + 24));
    }
    at += size;
  }
  return null;
}
