import type { CrashInput, DebugImage, ReportedFrame } from './crash-frame.js';

/** What symbolication and grouping read of a stored crash. Members of a frame that are null may be left out. */
export interface CrashPayload {
  exception: { type: string | null; value: string | null } | null;
  message: string | null;
  frames: Partial<ReportedFrame>[];
  images: DebugImage[];
  rawStacktrace: string | null;
  programCounter: string | null;
}

/** A stored crash, which nobody reads before the thread that symbolicates it. */
export interface CrashText {
  platform: string;
  release: string | null;
  /** JSON text of a {@link CrashPayload}. */
  payload: string;
}

export function crashInput({ platform, release }: CrashText, payload: CrashPayload): CrashInput {
  return {
    platform,
    release,
    exceptionType: payload.exception?.type ?? null,
    frames: payload.frames.map(reportedFrame),
    images: payload.images,
    rawStacktrace: payload.rawStacktrace,
    programCounter: payload.programCounter,
  };
}

/** Of a line or a column; what no file is long enough for, nor an Int of GraphQL, says nothing. */
const LARGEST_PLACE = 0x7fffffff;

const placeOf = (place: number | null | undefined): number | null =>
  place != null && Math.abs(place) <= LARGEST_PLACE ? place : null;

/** A frame with null for each member that was left out. */
export function reportedFrame(frame: Partial<ReportedFrame>): ReportedFrame {
  return {
    function: frame.function ?? null,
    file: frame.file ?? null,
    line: placeOf(frame.line),
    column: placeOf(frame.column),
    address: frame.address ?? null,
    module: frame.module ?? null,
    inApp: frame.inApp ?? null,
  };
}
