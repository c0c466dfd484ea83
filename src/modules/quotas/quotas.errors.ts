import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { Meter } from './limits.js';

export interface QuotaDetails {
  meter: Meter | 'symbolBytes';
  current: number;
  limit: number;
  /** ISO 8601; null for what does not reset. */
  resetsAt: string | null;
}

export const quotaFailure = defineFailures({
  quota_exceeded: ({ meter, current, limit, resetsAt }: QuotaDetails) =>
    `The quota of ${meter} ${current < limit ? 'has no room for this' : 'is used up'} (${current} of ${limit})${resetsAt ? `; it resets at ${resetsAt}` : ''}. A larger plan raises it.`,
  negative_limit: (_: { path: string }) => 'A limit is zero or more; leave it out for the limit of the plan.',
});

export type QuotaCode = FailureCode<typeof quotaFailure>;
