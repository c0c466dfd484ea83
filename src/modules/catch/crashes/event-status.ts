import type { CrashFrame } from '../../../symbols/symbolication/crash-frame.js';
import { settledStatus } from '../../../symbols/symbolication/written-crash.js';

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
