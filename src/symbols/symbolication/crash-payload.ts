import type { CrashInput, DebugImage, ReportedFrame } from './crash-frame.js';

/** The parts of a stored crash that symbolication and grouping read. Null members of a frame may be left out. */
export interface CrashPayload {
  exception: { type: string | null; value: string | null } | null;
  message: string | null;
  frames: Partial<ReportedFrame>[];
  images: DebugImage[];
  rawStacktrace: string | null;
  programCounter: string | null;
}

/** A stored crash that is not parsed until the symbolication thread reads it. */
export interface CrashText {
  platform: string;
  release: string | null;
  /** JSON text of a {@link CrashPayload}. */
  payload: string;
  /** Null if it is symbolicated for the first time. */
  settled: SettledCrash | null;
}

export interface SettledCrash {
  exceptionType: string | null;
  /** Compressed JSON text of `StoredFrame`s. */
  frames: Uint8Array;
  stacktrace: string | null;
}

export function crashInput(
  { platform, release }: Pick<CrashText, 'platform' | 'release'>,
  payload: CrashPayload,
): CrashInput {
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

/** A line or column; a value beyond any file and beyond GraphQL's Int is dropped. */
const LARGEST_PLACE = 0x7fffffff;

const placeOf = (place: number | null | undefined): number | null =>
  place != null && Math.abs(place) <= LARGEST_PLACE ? place : null;

/** A frame with null for each missing member. */
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
