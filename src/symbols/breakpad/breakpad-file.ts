import { SymbolFileError } from '../symbol-file-error.js';

const MODULE = /^MODULE (\S{1,32}) (\S{1,32}) ([0-9A-Fa-f]{32,41})(?: (.{0,4096}))?$/;
const HEAD_BYTES = 8_192;

export interface BreakpadModule {
  /** `Linux`, `Android`, `mac`, `windows` and others. */
  os: string;
  arch: string;
  /** 32 lowercase hex digits, without the age. */
  id: string;
}

/** Reads the first line of a Breakpad symbol file; null for any other file. */
export function readBreakpadModule(bytes: Uint8Array): BreakpadModule | null {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES));
  if (!head.subarray(0, 7).equals(Buffer.from('MODULE '))) return null;
  const line = head.toString('utf8').split(/\r?\n/, 1)[0] ?? '';
  const [, os, arch, id] = MODULE.exec(line) ?? [];
  if (os === undefined || arch === undefined || id === undefined)
    throw new SymbolFileError('malformed', 'The MODULE line of the Breakpad symbols has no id.');
  return { os, arch: ARCHITECTURES[arch] ?? arch, id: id.slice(0, 32).toLowerCase() };
}

/** Breakpad's architecture names, where ours differ. */
const ARCHITECTURES: Readonly<Record<string, string>> = { aarch64: 'arm64', arm64: 'arm64', amd64: 'x86_64' };
