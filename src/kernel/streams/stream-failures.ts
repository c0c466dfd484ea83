import { defineFailures, type FailureCode } from '../errors.js';

export const streamFailure = defineFailures({
  too_many_streams: ({ holder, most }: { holder: string; most: number }) =>
    `This ${holder} has ${most} streams open already; close one, or poll.`,
});

export type StreamCode = FailureCode<typeof streamFailure>;
