import type { DebugImage } from './crash-frame.js';

export interface AppleFrame {
  /** 0-based position of its line in the text, which frames may share; null when the report is JSON. */
  line: number | null;
  address: bigint;
  image: string;
  /** The name from the operating system, or null. */
  function: string | null;
}

/** The crash in a report: the backtrace of the exception, or else of the crashed thread. */
export interface AppleReport {
  /** `SIGTRAP`, else `EXC_BREAKPOINT`, or null. */
  exceptionType: string | null;
  programCounter: string | null;
  images: DebugImage[];
  frames: AppleFrame[];
}

const MAX_LINE_LENGTH = 20_000;
const MAX_FRAMES = 1_000;
const MAX_IMAGES = 4_000;

/** After the lazy parts a run of spaces is scanned only once, from its start. */
const FRAME = /^(\d{1,4}) +(\S.*?)(?<![ \t])[ \t]+(0x[0-9a-fA-F]{1,16}) (.*)$/;
const IMAGE = /^\s*(0x[0-9a-fA-F]{1,16}) +- +(0x[0-9a-fA-F]{1,16}) +(\S.*?)(?<! ) +<([0-9A-Fa-f-]{32,36})> *(.*)$/;
/** `name + 12`, optionally with a source position: `name + 12 (File.swift:3)`. */
const NAMED = /^(.+?) \+ \d+$/;
const NAMED_AND_PLACED = /^(.+?) \+ \d+ \(/;
const EXCEPTION = /^Exception Type: +(\w{1,40})(?: \((SIG\w{1,12})\))?/;
/** The backtrace of an exception, without names from the system. */
const BARE = /^\((0x[0-9a-fA-F]{1,16}(?: 0x[0-9a-fA-F]{1,16})*)\)$/;
const CODE_TYPE = /^Code Type: +([\w-]{1,20})/;
const PROGRAM_COUNTER = /^(?:.* )?(?:pc|rip): (0x[0-9a-fA-F]{1,16})\b/;
const ARCH = / \+?(arm64e?|arm64_32|armv7\w{0,2}|x86_64h?|i386)$/;
const ARCH_OF_CODE: Readonly<Record<string, string>> = {
  'ARM-64': 'arm64',
  ARM: 'armv7',
  'X86-64': 'x86_64',
  X86: 'i386',
};

/** Parses a `.crash` or `.ips` report; null for any other text or without a backtrace of the crash. */
export function parseAppleReport(text: string): AppleReport | null {
  const report = (text.trimStart().startsWith('{') ? fromJson(text) : null) ?? fromText(text);
  return report === null || report.frames.length === 0 ? null : report;
}

function fromText(text: string): AppleReport | null {
  if (!text.includes('\nBinary Images:')) return null;
  const report: AppleReport = { exceptionType: null, programCounter: null, images: [], frames: [] };
  const threads: Record<'crashed' | 'exception', AppleFrame[]> = { crashed: [], exception: [] };
  let arch: string | null = null;
  let part: 'crashed' | 'exception' | 'images' | null = null;
  for (const [index, whole] of text.split('\n').entries()) {
    const line = whole.replace(/\r$/, '');
    if (line.length > MAX_LINE_LENGTH) continue;
    const [, kind, signal] = EXCEPTION.exec(line) ?? [];
    report.exceptionType ??= signal ?? kind ?? null;
    arch ??= ARCH_OF_CODE[CODE_TYPE.exec(line)?.[1] ?? ''] ?? null;
    if (/^Thread \d{1,6} Crashed:/.test(line)) part = 'crashed';
    else if (/^Last Exception Backtrace:/.test(line)) part = 'exception';
    else if (/^Binary Images:/.test(line)) part = 'images';
    else if (/^Thread \d{1,6}\b/.test(line)) part = null;
    else if (part === 'images') imageOf(line, arch, report.images);
    else if (part !== null && threads[part].length < MAX_FRAMES) frameOf(line, index, threads[part]);
    if (part === null) report.programCounter ??= PROGRAM_COUNTER.exec(line)?.[1] ?? null;
  }
  const frames = threads.exception.length > 0 ? threads.exception : threads.crashed;
  report.frames = frames.map((frame) => ({ ...frame, image: frame.image || nameAt(frame.address, report.images) }));
  return report;
}

function nameAt(address: bigint, images: readonly DebugImage[]): string {
  const found = images.find(({ imageAddress, imageSize }) => {
    const start = BigInt(imageAddress ?? 0);
    return address >= start && address < start + BigInt(imageSize ?? 0);
  });
  return found?.codeFile?.split('/').at(-1) ?? '???';
}

function frameOf(line: string, index: number, frames: AppleFrame[]): void {
  for (const address of BARE.exec(line)?.[1]?.split(' ').slice(0, MAX_FRAMES) ?? [])
    frames.push({ line: index, address: BigInt(address), image: '', function: null });
  const [, , image, address, rest = ''] = FRAME.exec(line) ?? [];
  if (image === undefined || address === undefined) return;
  // `0x102aec000 + 12` where the system has no name.
  const name = (rest.endsWith(')') ? NAMED_AND_PLACED : NAMED).exec(rest)?.[1] ?? '';
  frames.push({
    line: index,
    address: BigInt(address),
    image,
    function: /^(?:0x[0-9a-f]+)?$/i.test(name) ? null : name,
  });
}

function imageOf(line: string, arch: string | null, images: DebugImage[]): void {
  const [, start, end, name = '', debugId, path] = IMAGE.exec(line) ?? [];
  if (start === undefined || end === undefined || debugId === undefined || images.length >= MAX_IMAGES) return;
  const size = Number(BigInt(end) - BigInt(start)) + 1;
  images.push(imageFrom({ start, size, debugId, path: path || name, arch: ARCH.exec(` ${name}`)?.[1] ?? arch }));
}

interface Loaded {
  start: string;
  size: number | null;
  debugId: string;
  path: string;
  arch: string | null;
}

const imageFrom = ({ start, size, debugId, path, arch }: Loaded): DebugImage => ({
  type: 'macho',
  debugId,
  codeFile: path,
  imageAddress: start,
  imageSize: size,
  arch,
});

type Fields = Record<string, unknown>;

/** A metadata line followed by the report, each a JSON object; before iOS 15 the report is text. */
function fromJson(text: string): AppleReport | null {
  const body = read(text) ?? read(text.slice(text.indexOf('\n') + 1));
  if (body === null || !Array.isArray(body.usedImages) || !Array.isArray(body.threads)) return null;
  const used = body.usedImages.slice(0, MAX_IMAGES).map(fieldsOf);
  const crashed = fieldsOf(body.threads.find((thread) => fieldsOf(thread).triggered === true));
  const exception = fieldsOf(body.exception);
  const state = fieldsOf(crashed.threadState);
  const pc = numberOf(fieldsOf(state.pc ?? state.rip).value);
  const last = Array.isArray(body.lastExceptionBacktrace) ? body.lastExceptionBacktrace : [];
  const given = last.length > 0 ? last : Array.isArray(crashed.frames) ? crashed.frames : [];
  return {
    exceptionType: textOf(exception.signal) ?? textOf(exception.type),
    programCounter: pc === null ? null : hex(pc),
    images: used.map((image) =>
      imageFrom({
        start: hex(numberOf(image.base) ?? 0n),
        size: Number(numberOf(image.size) ?? 0n) || null,
        debugId: textOf(image.uuid) ?? '',
        path: textOf(image.path) ?? textOf(image.name) ?? '',
        arch: textOf(image.arch),
      }),
    ),
    frames: given.slice(0, MAX_FRAMES).map((one) => {
      const frame = fieldsOf(one);
      const image = used[Number(numberOf(frame.imageIndex) ?? -1n)] ?? {};
      const address = (numberOf(image.base) ?? 0n) + (numberOf(frame.imageOffset) ?? 0n);
      return { line: null, address, image: textOf(image.name) ?? '???', function: textOf(frame.symbol) };
    }),
  };
}

function read(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const numberOf = (value: unknown): bigint | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null;

/** In the format that events use. */
export const hex = (address: bigint): string => `0x${address.toString(16)}`;
