import type { CrashFrame, SymbolicatedCrash } from './crash-frame.js';
import type { CrashPayload, SettledCrash } from './crash-payload.js';
import { readStoredFrames, type StoredFrame, unpackFrames } from './frame-text.js';

const lacksSymbols = ({ status }: CrashFrame): boolean => status === 'missing_symbol';
const isReadable = ({ status }: CrashFrame): boolean => status === 'symbolicated' || status === 'unknown_class';

/** The crash with the earlier result for frames that lack symbols now: deleting symbols does not undo what they have been used for. */
export function withSettled(crash: SymbolicatedCrash, settled: SettledCrash, payload: CrashPayload): SymbolicatedCrash {
  if (!crash.frames.some(lacksSymbols)) return crash;
  const stored = JSON.parse(unpackFrames(settled.frames)) as StoredFrame[];
  const before = readStoredFrames(stored, payload.frames).filter(isReadable);
  const byReported = Map.groupBy(before, ({ reported }) => reported);
  const last = crash.frames.findLast((frame) => lacksSymbols(frame) && byReported.has(frame.reported));
  if (last === undefined) return crash;
  const frames = crash.frames.flatMap((frame) => (lacksSymbols(frame) && byReported.get(frame.reported)) || [frame]);
  // Frames of a Java text are numbered as printed, and inlined functions are only printed with a mapping.
  if (last === crash.frames.at(-1)) frames.push(...before.filter(({ reported }) => reported > last.reported));
  return { ...crash, frames, exceptionType: settled.exceptionType, stacktrace: settled.stacktrace };
}
