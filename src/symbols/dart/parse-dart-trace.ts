/** An obfuscated stack trace of the Dart VM ("This VM has been configured to produce stack traces …"). */
export interface DartTrace {
  os: string | null;
  arch: string | null;
  /** Lower-case hexadecimal build id, or null (iOS prints none). */
  buildId: string | null;
  /** The load address of the isolate's code, or null. */
  isolateInstructions: bigint | null;
  vmInstructions: bigint | null;
  isolateDsoBase: bigint | null;
  lines: DartLine[];
}

/** A line of the trace: a frame, or text that stays unchanged. */
export type DartLine = { text: string; frame: DartFrame | null };

/** A frame. Newer VMs already print pc − 1, so addresses are looked up unchanged. */
export interface DartFrame {
  /** The text before the frame's number. */
  prefix: string;
  number: number;
  abs: bigint | null;
  virt: bigint | null;
  /** Code symbol and offset, as in `_kDartIsolateSnapshotInstructions+0x2a`; null when the VM printed a library. */
  symbol: { section: 'isolate' | 'vm'; offset: bigint } | null;
}

const FRAME = /^(.*?)#(\d{1,4})\s+(?:abs\s+([0-9a-fA-F]{1,16})\b)?\s*(?:virt\s+([0-9a-fA-F]{1,16})\b)?\s*(\S*)/;
const SYMBOL = /^_kDart(Isolate|Vm)SnapshotInstructions\+0x([0-9a-fA-F]{1,16})$/;
const MAX_LINE_LENGTH = 4_096;

/**
 * Parses a Dart trace from a text. Anything may precede `#NN`; crash reporters put "at ." or a time there.
 *
 * @returns null when no line has an address of the Dart VM
 */
export function parseDartTrace(text: string): DartTrace | null {
  const trace: DartTrace = {
    os: null,
    arch: null,
    buildId: null,
    isolateInstructions: null,
    vmInstructions: null,
    isolateDsoBase: null,
    lines: [],
  };
  for (const line of text.split('\n')) {
    const frame = line.length > MAX_LINE_LENGTH ? null : parseFrame(line);
    if (frame === null) readHeader(trace, line.slice(0, MAX_LINE_LENGTH));
    trace.lines.push({ text: line, frame });
  }
  return trace.lines.some((line) => line.frame !== null) ? trace : null;
}

function parseFrame(line: string): DartFrame | null {
  const match = FRAME.exec(line);
  if (match === null) return null;
  const [, prefix = '', number, abs, virt, rest = ''] = match;
  const symbol = SYMBOL.exec(rest);
  if (virt === undefined && symbol === null && abs === undefined) return null;
  return {
    prefix,
    number: Number(number),
    abs: abs === undefined ? null : hex(abs),
    virt: virt === undefined ? null : hex(virt),
    symbol: symbol?.[2] ? { section: symbol[1] === 'Vm' ? 'vm' : 'isolate', offset: hex(symbol[2]) } : null,
  };
}

function readHeader(trace: DartTrace, line: string): void {
  const buildId = /\bbuild_?id\s*:\s*'?([0-9a-fA-F]{8,80})'?/i.exec(line);
  if (buildId?.[1]) trace.buildId ??= buildId[1].toLowerCase();
  const os = /\bos: (\w+) arch: (\w+)/.exec(line);
  trace.os ??= os?.[1] ?? null;
  trace.arch ??= os?.[2] ?? null;
  trace.isolateInstructions ??= address(line, 'isolate_instructions');
  trace.vmInstructions ??= address(line, 'vm_instructions');
  trace.isolateDsoBase ??= address(line, 'isolate_dso_base');
}

function address(line: string, key: string): bigint | null {
  const match = new RegExp(`\\b${key}: ([0-9a-fA-F]{1,16})\\b`).exec(line);
  return match?.[1] === undefined ? null : hex(match[1]);
}

const hex = (digits: string): bigint => BigInt(`0x${digits}`);
