import type { SourceContext } from '../source-map/source-context.js';

/** The outcome for a frame. `unknown_class`: there is a mapping, and it does not name the frame's class. */
export type FrameStatus = 'symbolicated' | 'missing_symbol' | 'unknown_image' | 'unknown_class' | 'malformed';

/** A frame as the client sent it. Missing fields are null. */
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

/** Another place that an obfuscated frame may stand for. */
export interface FrameAlternative {
  /** Java class. */
  module: string;
  function: string;
  file: string | null;
  line: number | null;
}

/** A frame as it is shown: inlined functions have frames of their own, innermost first. */
export interface CrashFrame extends ReportedFrame {
  /** The function with the types of its parameters, where the symbols tell them (C++). */
  signature?: string;
  /** Its source, where the symbols hold it (source maps with `sourcesContent`). */
  context?: SourceContext;
  /** The image and where in it, which no load address changes: what a frame without a name is grouped by. Not stored. */
  place?: string;
  /** What else it may have been, where the mapping cannot tell; R8 prints those behind `<OR>`. */
  alternatives?: FrameAlternative[];
  status: FrameStatus;
  /** Why it is not symbolicated, or not wholly, for a person; null when it is. */
  reason: string | null;
  /** Position of the reported frame that this one was made of. */
  reported: number;
  /** The next frame is the call that this one was inlined into. */
  inlined: boolean;
}

/** A loaded library of the crashed process. */
export interface DebugImage {
  /** `macho`, `elf`, `proguard`, `sourcemap`, `dart`. */
  type: string;
  debugId: string | null;
  /** The whole build id, where the reporter knows it beside a debug id of Breakpad's. */
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
  /** The program counter at the crash, when the reporter knows it. */
  programCounter: string | null;
  release: string | null;
}

export interface SymbolicatedCrash {
  exceptionType: string | null;
  frames: CrashFrame[];
  /** `raw_stacktrace` with original names, or null. */
  stacktrace: string | null;
  /** Debug ids, build ids or file names for which no symbols are stored; `@` and the release when that is all that is known. */
  missing: { key: string; kind: string }[];
}

/** The name of an image by its path, in an archive too: `/data/app/base.apk!libgame.so`. */
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
