import { defineFailures } from '../../../kernel/errors.js';

/** Failures of usage, which only occur in GraphQL. */
export const decisionsFailure = defineFailures(
  {
    bad_usage_time: ({ most }: { most: number }) =>
      `from must be before to, with no more than ${most} intervals between them. Choose a shorter time, or count by day.`,
  },
  { bad_usage_time: 'from' },
);
