import { unresolved } from './crash-frame.js';
import { type CrashPayload, type CrashText, crashInput } from './crash-payload.js';
import { readStoredFrames, type StoredFrame, unpackFrames } from './frame-text.js';
import { type WrittenCrash, writtenCrash } from './written-crash.js';

/** A crash that cannot be read, for a reason: it keeps what an earlier symbolication found, or its frames as reported. */
export function givenUp(crash: CrashText, reason: string): WrittenCrash {
  const payload = JSON.parse(crash.payload) as CrashPayload;
  const { frames: reported, exceptionType } = crashInput(crash, payload);
  const { settled } = crash;
  const kept = settled
    ? {
        ...settled,
        frames: readStoredFrames(JSON.parse(unpackFrames(settled.frames)) as StoredFrame[], payload.frames),
      }
    : {
        exceptionType,
        frames: reported.map((frame, index) => unresolved(frame, index, 'malformed', reason)),
        stacktrace: null,
      };
  return writtenCrash({ ...kept, missing: [] }, reported, payload);
}
