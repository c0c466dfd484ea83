import type { CrashInput } from '../../../src/symbols/symbolication/crash-frame.js';

/** A crash with nothing but these fields. */
export const crash = (fields: Partial<CrashInput>): CrashInput => ({
  platform: 'other',
  exceptionType: null,
  frames: [],
  images: [],
  rawStacktrace: null,
  programCounter: null,
  release: null,
  ...fields,
});
