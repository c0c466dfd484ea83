import { defineFailures, type FailureCode } from '../../kernel/errors.js';
import type { Meter } from './limits.js';

export interface QuotaDetails {
  meter: Meter | 'symbolBytes';
  current: number;
  limit: number;
  /** ISO 8601; null if it doesn't reset. */
  resetsAt: string | null;
}

export const quotaFailure = defineFailures({
  quota_exceeded: ({ meter, current, limit, resetsAt }: QuotaDetails) =>
    `The quota of ${meter} ${current < limit ? 'has no room for this' : 'is used up'} (${current} of ${limit})${resetsAt ? `; it resets at ${resetsAt}` : ''}. A larger plan raises it.`,
  negative_limit: (_: { path: string }) => "A limit must be zero or more. Leave it out to use the plan's limit.",
});

export type QuotaCode = FailureCode<typeof quotaFailure>;
