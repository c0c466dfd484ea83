import type { CrashFrame } from '../../../symbols/symbolication/crash-frame.js';

/** What symbolication made of an event; `no_frames` when it reported neither frames nor a stack trace. */
export type SettledStatus = 'symbolicated' | 'partial' | 'unsymbolicated' | 'no_frames';

/** The status of an event whose symbolication is done. */
export function settledStatus(
  frames: readonly Pick<CrashFrame, 'status'>[],
  rawStacktrace: string | null,
): SettledStatus {
  if (frames.length === 0) return rawStacktrace === null ? 'no_frames' : 'unsymbolicated';
  const symbolicated = frames.filter(({ status }) => status === 'symbolicated').length;
  if (symbolicated === frames.length) return 'symbolicated';
  return symbolicated > 0 ? 'partial' : 'unsymbolicated';
}

/** The status of a stored event; earlier versions called events without any frame symbolicated. */
export function shownStatus(
  stored: string,
  frames: readonly Pick<CrashFrame, 'status'>[],
  rawStacktrace: string | null,
): string {
  return stored === 'symbolicated' && frames.length === 0 ? settledStatus(frames, rawStacktrace) : stored;
}

const REASONS: Readonly<Record<string, string>> = {
  no_frames: 'The event has neither frames nor a stack trace.',
  unsymbolicated:
    'No frame could be read from the stack trace; those of Java, of scripts, of Dart without names and of native libraries on Android can be.',
};

/** Why an event has no frames that could say it themselves; null when it has, or still waits. */
export function reasonOf(status: string, frames: readonly Pick<CrashFrame, 'status'>[]): string | null {
  return frames.length === 0 ? (REASONS[status] ?? null) : null;
}
