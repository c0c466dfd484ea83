import { type StoredFrame, unpackFrames } from '../../../symbols/symbolication/frame-text.js';
import { settledStatus } from '../../../symbols/symbolication/written-crash.js';

/** The two formats of stored frames: earlier versions did not compress them. */
export interface FramesOfEvent {
  frames: StoredFrame[] | null;
  packedFrames: Uint8Array | null;
}

/** The frames of a stored event, in either format. */
export function storedFrames({ frames, packedFrames }: FramesOfEvent): StoredFrame[] {
  return packedFrames === null ? (frames ?? []) : JSON.parse(unpackFrames(packedFrames));
}

const hasFrames = ({ frames, packedFrames }: FramesOfEvent): boolean =>
  packedFrames !== null || (frames ?? []).length > 0;

/** The status of a stored event; earlier versions called events without any frames symbolicated. */
export function shownStatus(stored: string, event: FramesOfEvent, rawStacktrace: string | null): string {
  return stored === 'symbolicated' && !hasFrames(event) ? settledStatus([], rawStacktrace) : stored;
}

const REASONS: Readonly<Record<string, string>> = {
  no_frames: 'The event has neither frames nor a stack trace.',
  unsymbolicated:
    'No frame could be parsed from the stack trace. Supported are traces of Java, scripts and Dart, tombstones of Android and crash reports of Apple.',
};

/** Why an event has no frames that could say it themselves; null if it has some, or still waits. */
export function reasonOf(status: string, event: FramesOfEvent): string | null {
  return hasFrames(event) ? null : (REASONS[status] ?? null);
}
