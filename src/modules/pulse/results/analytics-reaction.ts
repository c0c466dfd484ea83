import type { Reaction } from '../../../events/dispatcher.js';
import type { JobQueue } from '../../../jobs/job-queue.js';

/** Accepted responses become one job that copies them, however many arrive together. */
export function analyticsReaction(jobs: JobQueue): Reaction {
  return {
    name: 'analytics copy',
    matches: (kind) => kind === 'pulse.response.submitted',
    react: (ctx, events) =>
      jobs.enqueue(ctx, 'pulse.copy_responses', { responseIds: events.map(({ objectId }) => objectId) }),
  };
}
