import type { CrashFrame, ReportedFrame, SymbolicatedCrash } from './crash-frame.js';
import { type Grouping, groupCrash } from './crash-grouping.js';
import type { CrashPayload } from './crash-payload.js';
import { frameText, packFrames } from './frame-text.js';

/** The symbolication status of an event; `no_frames` when it has neither frames nor a stack trace. */
export const SETTLED_STATUSES = ['symbolicated', 'partial', 'unsymbolicated', 'no_frames'] as const;
export type SettledStatus = (typeof SETTLED_STATUSES)[number];

export interface WrittenCrash extends Omit<SymbolicatedCrash, 'frames'> {
  /** Compressed JSON text of `StoredFrame`s; null when there are none. */
  frames: Uint8Array | null;
  status: SettledStatus;
  grouping: Grouping;
}

export function writtenCrash(
  { frames, ...result }: SymbolicatedCrash,
  reported: readonly ReportedFrame[],
  payload: CrashPayload,
): WrittenCrash {
  return {
    ...result,
    frames: packed(frameText(frames, reported)),
    status: settledStatus(frames, payload.rawStacktrace),
    grouping: groupCrash(result.exceptionType, frames, payload),
  };
}

/** Crashes with the same cause have the same text, so recently compressed texts are reused. */
const lately = new Map<string, Uint8Array | null>();
const MOST_CHARACTERS = 8 * 1024 * 1024;
let characters = 0;

function packed(text: string): Uint8Array | null {
  const known = lately.get(text);
  if (known !== undefined) return known;
  if (characters > MOST_CHARACTERS) {
    lately.clear();
    characters = 0;
  }
  const bytes = packFrames(text);
  lately.set(text, bytes);
  characters += text.length;
  return bytes;
}

/** The status of an event after symbolication. */
export function settledStatus(
  frames: readonly Pick<CrashFrame, 'status'>[],
  rawStacktrace: string | null,
): SettledStatus {
  if (frames.length === 0) return rawStacktrace === null ? 'no_frames' : 'unsymbolicated';
  const symbolicated = frames.filter(({ status }) => status === 'symbolicated').length;
  if (symbolicated === frames.length) return 'symbolicated';
  return symbolicated > 0 ? 'partial' : 'unsymbolicated';
}
