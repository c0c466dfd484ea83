/** A library of the crashed process. Addresses are "0x…" in hexadecimal or decimal. */
export interface LoadedImage {
  readonly imageAddress: string | null;
  /** Bytes; null or 0 when unknown. */
  readonly imageSize: number | null;
  readonly arch: string | null;
}

/** How the process ended, according to the event. */
export interface CrashCause {
  /** `SIGSEGV`, `EXC_BAD_ACCESS`, … */
  readonly signal: string | null;
  /** The program counter. */
  readonly pc: string | null;
}

/** Where to look up a frame: bytes from the start of an image, or why it cannot be looked up. */
export type FramePlace =
  | { readonly status: 'placed'; readonly image: number; readonly offset: number }
  | { readonly status: 'malformed' | 'unknown_image'; readonly reason: string };

interface ImageRange {
  readonly index: number;
  readonly start: bigint;
  readonly end: bigint;
}

/** Signals after which the reported top frame may be a caller: a bad jump or instruction loses the real one. */
const FAULTS = /^(SIGILL|SIGBUS|SIGSEGV|EXC_BAD_ACCESS|EXC_BAD_INSTRUCTION)\b/i;

/** Pointer bits of arm64 user space: 48 under Android's tags, 39 under Apple's signatures. */
const POINTER_MASKS = [0xffffffffffffn, 0x7fffffffffn];

/**
 * Places the frames of one stack, top frame first, in the images.
 *
 * Every frame except the top one holds a return address; its call is the instruction before. The top frame is treated
 * the same way when it differs from the program counter after one of the faults above.
 */
export function placeFrames(
  addresses: ReadonlyArray<string | null>,
  images: readonly LoadedImage[],
  cause: CrashCause,
): FramePlace[] {
  const ranges = imageRanges(images);
  const pc = parseAddress(cause.pc);
  return addresses.map((text, index) => {
    const address = parseAddress(text);
    if (address === null) return { status: 'malformed', reason: 'The address is not a hexadecimal number.' };
    const found = findImage(ranges, images, address);
    if (!found) return { status: 'unknown_image', reason: 'No debug image of the event contains this address.' };
    const family = architectureFamily(images[found.range.index]?.arch ?? null);
    const isElsewhere = pc !== null && aligned(pc, family) !== aligned(address, family);
    const lostTop = isElsewhere && FAULTS.test(cause.signal ?? '');
    const instruction = index === 0 && !lostTop ? aligned(found.address, family) : callBefore(found.address, family);
    const offset = instruction - found.range.start;
    return { status: 'placed', image: found.range.index, offset: Number(offset < 0n ? 0n : offset) };
  });
}

/** An event's address as a number of up to 64 bits; null when it is not a number. */
export function parseAddress(text: string | null): bigint | null {
  const trimmed = text?.trim() ?? '';
  return /^(?:0x[0-9a-f]{1,16}|\d{1,20})$/i.test(trimmed) ? BigInt(trimmed) : null;
}

/** Images sorted by start; one without a size extends to the next. */
function imageRanges(images: readonly LoadedImage[]): ImageRange[] {
  const starts: Array<{ index: number; start: bigint; size: number }> = [];
  for (const [index, image] of images.entries()) {
    const start = parseAddress(image.imageAddress);
    if (start !== null) starts.push({ index, start, size: Math.max(0, Math.trunc(image.imageSize ?? 0)) || 0 });
  }
  starts.sort((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : 0));
  return starts.map(({ index, start, size }, at) => {
    const next = starts[at + 1]?.start ?? 1n << 64n;
    return { index, start, end: size > 0 ? start + BigInt(size) : next };
  });
}

function findImage(
  ranges: readonly ImageRange[],
  images: readonly LoadedImage[],
  address: bigint,
): { range: ImageRange; address: bigint } | null {
  const direct = rangeAround(ranges, address);
  if (direct) return { range: direct, address };
  for (const mask of POINTER_MASKS) {
    const plain = address & mask;
    if (plain === address) continue;
    const range = rangeAround(ranges, plain);
    if (range && architectureFamily(images[range.index]?.arch ?? null) === 'arm64') return { range, address: plain };
  }
  return null;
}

function rangeAround(ranges: readonly ImageRange[], address: bigint): ImageRange | null {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle] as ImageRange).start <= address) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  return range && address < range.end ? range : null;
}

/** The instruction's address without the lowest bit, which marks Thumb code on arm. */
const aligned = (address: bigint, family: string): bigint => (family === 'arm' ? address & ~1n : address);

/** An address inside the call before a return address. */
function callBefore(address: bigint, family: string): bigint {
  if (family === 'arm64') return address - 4n;
  return family === 'arm' ? (address & ~1n) - 2n : address - 1n;
}

const FAMILIES: ReadonlyArray<readonly [RegExp, string]> = [
  [/^(arm64|aarch64)/, 'arm64'],
  [/^(arm|thumb)/, 'arm'],
  [/^(x86_64|x86-64|amd64|x64)/, 'x86_64'],
  [/^(x86|i[3-6]86|ia32)/, 'x86'],
  [/^riscv64/, 'riscv64'],
  [/^mips/, 'mips'],
];

/** The family of a CPU name as written by event reporters, Android ABIs and Apple's tools; empty when unknown. */
function architectureFamily(arch: string | null): string {
  const name = (arch ?? '').toLowerCase();
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? '';
}
