import type { SourceContext } from '../source-map/source-context.js';

/** The result for a frame. `unknown_class`: there is a mapping, but it does not contain the frame's class. */
export const FRAME_STATUSES = [
  'symbolicated',
  'missing_symbol',
  'unknown_image',
  'unknown_class',
  'malformed',
] as const;
export type FrameStatus = (typeof FRAME_STATUSES)[number];

/** A frame as sent by the client. Missing fields are null. */
export interface ReportedFrame {
  function: string | null;
  file: string | null;
  /** From 1. */
  line: number | null;
  /** From 1. */
  column: number | null;
  /** Instruction address, "0x…" in hexadecimal. */
  address: string | null;
  /** Java class, or library. */
  module: string | null;
  inApp: boolean | null;
}

/** Another possible origin of an obfuscated frame. */
export interface FrameAlternative {
  /** Java class. */
  module: string;
  function: string;
  file: string | null;
  line: number | null;
}

/** A frame as shown: inlined functions have their own frames, innermost first. */
export interface CrashFrame extends ReportedFrame {
  /** The function with its parameter types, where the symbols have them (C++). */
  signature?: string;
  /** Its source, where the symbols include it (source maps with `sourcesContent`). */
  context?: SourceContext;
  /** The image and the offset in it, independent of the load address; groups frames without a name. Not stored. */
  place?: string;
  /** Other possible origins when the mapping is ambiguous; R8 prints them after `<OR>`. */
  alternatives?: FrameAlternative[];
  status: FrameStatus;
  /** A readable reason why it is not, or not fully, symbolicated; null when it is. */
  reason: string | null;
  /** Index of the reported frame that this one comes from. */
  reported: number;
  /** The next frame is the function this one was inlined into. */
  inlined: boolean;
}

/** A loaded library of the crashed process. */
export interface DebugImage {
  /** `macho`, `elf`, `proguard`, `sourcemap`, `dart`. */
  type: string;
  debugId: string | null;
  /** The full build id, if the reporter sends it in addition to a Breakpad debug id. */
  codeId?: string | null;
  codeFile: string | null;
  /** "0x…" in hexadecimal, or a decimal number. */
  imageAddress: string | null;
  imageSize: number | null;
  arch: string | null;
}

export interface CrashInput {
  platform: string;
  exceptionType: string | null;
  frames: ReportedFrame[];
  images: DebugImage[];
  rawStacktrace: string | null;
  /** The program counter at the crash, if known. */
  programCounter: string | null;
  release: string | null;
}

export interface SymbolicatedCrash {
  exceptionType: string | null;
  frames: CrashFrame[];
  /** `raw_stacktrace` with original names, or null. */
  stacktrace: string | null;
  /** Debug ids, build ids or file names without stored symbols; `@` plus the release when nothing else is known. */
  missing: { key: string; kind: string }[];
}

/** The name of an image from its path, also within an archive: `/data/app/base.apk!libgame.so`. */
export const baseName = (path: string): string =>
  path.slice(Math.max(...['/', '\\', '!'].map((separator) => path.lastIndexOf(separator))) + 1);

/** The frame as reported, with a status. */
export function unresolved(
  frame: ReportedFrame,
  reported: number,
  status: FrameStatus,
  reason: string | null,
): CrashFrame {
  return { ...frame, status, reason, reported, inlined: false };
}
