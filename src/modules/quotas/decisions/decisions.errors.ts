import { defineFailures } from '../../../kernel/errors.js';

/** Failures of usage, which only GraphQL meets. */
export const decisionsFailure = defineFailures(
  {
    bad_usage_time: ({ most }: { most: number }) =>
      `from must come before to, and no more than ${most} intervals lie between them; ask for a shorter time, or for days.`,
  },
  { bad_usage_time: 'from' },
);
