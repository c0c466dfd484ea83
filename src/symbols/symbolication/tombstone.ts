/** A backtrace frame as printed by Android's debuggerd. */
export interface TombstoneFrame {
  /** 0-based position of its line in the text. */
  line: number;
  /** Address in the file, already inside the call: the unwinder stepped back one instruction. */
  address: bigint;
  library: string;
  buildId: string | null;
  /** The name from the device's own symbol table, or null. */
  function: string | null;
}

/** The backtrace of the crashed thread. */
export interface Tombstone {
  /** `SIGSEGV`, or null. */
  signal: string | null;
  /** `arm64`, or null. */
  abi: string | null;
  lines: string[];
  frames: TombstoneFrame[];
}

const FRAME = /^.{0,200}?#(\d{1,4}) +pc +(?:0x)?([0-9a-fA-F]{1,16}) +(\S.*)$/;
const SIGNAL = /\bsignal \d{1,3} \((SIG[A-Z0-9]{1,12})\)/;
const ABI = /\bABI: '([a-z0-9_]{1,20})'/;
const BUILD_ID = / \(BuildId: ([0-9a-fA-F]{8,64})\)/;
const MAX_LINE_LENGTH = 4_096;
const MAX_FRAMES = 1_000;

/** Parses a tombstone, complete or from logcat; null when no line is a native frame. */
export function parseTombstone(text: string): Tombstone | null {
  const tombstone: Tombstone = { signal: null, abi: null, lines: text.split('\n'), frames: [] };
  let expected = 0;
  for (const [index, line] of tombstone.lines.entries()) {
    if (line.length > MAX_LINE_LENGTH) continue;
    tombstone.signal ??= SIGNAL.exec(line)?.[1] ?? null;
    tombstone.abi ??= ABI.exec(line)?.[1] ?? null;
    const [, number, pc = '', rest = ''] = FRAME.exec(line) ?? [];
    if (number === undefined) continue;
    // The other threads' backtraces also begin with #00.
    if (Number(number) !== expected || expected === MAX_FRAMES) break;
    expected += 1;
    tombstone.frames.push({ line: index, address: BigInt(`0x${pc}`), ...placeOf(rest) });
  }
  return tombstone.frames.length === 0 ? null : tombstone;
}

/** `/data/app/base.apk!libgame.so (offset 0x1000) (step(int)+12) (BuildId: 4f…)`, without missing parts. */
function placeOf(text: string): Pick<TombstoneFrame, 'library' | 'buildId' | 'function'> {
  const buildId = BUILD_ID.exec(text)?.[1]?.toLowerCase() ?? null;
  const plain = text
    .replace(BUILD_ID, '')
    .replace(/ \(offset (?:0x)?[0-9a-fA-F]{1,16}\)/, '')
    .trimEnd();
  const open = plain.indexOf(' (');
  if (open < 0 || !plain.endsWith(')')) return { library: plain, buildId, function: null };
  const name = plain.slice(open + 2, -1).replace(/\+\d{1,12}$/, '');
  return { library: plain.slice(0, open), buildId, function: name || null };
}
