import { LockMode } from '@mikro-orm/core';
import type { Reaction } from '../../../events/dispatcher.js';
import type { JobQueue } from '../../../jobs/job-queue.js';
import type { Context } from '../../../kernel/context.js';
import { uuidOfPrefixedId } from '../../../kernel/ids.js';
import { SurveyResponse } from './survey-response.entity.js';

/** A survey response as an event among the project's others. */
export interface AnalyticsEvent {
  id: string;
  projectId: string;
  environment: string;
  eventName: string;
  distinctId: string;
  occurredAt: Date;
  properties: Record<string, unknown>;
}

/** Stores events in the caller's transaction; one repeated with its id is stored once. */
export type AnalyticsSink = (ctx: Context, events: readonly AnalyticsEvent[]) => Promise<void>;

/** Erases events of a project by their ids, in the caller's transaction. */
export type AnalyticsEraser = (ctx: Context, projectId: string, eventIds: readonly string[]) => Promise<void>;

/** Copies responses to the analytics store after they were accepted (docs/rest.md, Surveys); no request waits for it. */
export class AnalyticsCopyService {
  constructor(private readonly sink: AnalyticsSink) {}

  /**
   * Copies the responses that still exist and whose person hasn't been deleted since. Anyone erasing one, or the person, waits meanwhile,
   * so that the copy is found and erased too. Answers and email addresses aren't copied.
   */
  async copy(ctx: Context, responseIds: readonly string[]): Promise<void> {
    const responses = await ctx.em.find(
      SurveyResponse,
      { id: { $in: [...responseIds] }, isPersonDeleted: false },
      { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_READ },
    );
    if (responses.length > 0) await this.sink(ctx, responses.map(toEvent));
  }
}

function toEvent(response: SurveyResponse): AnalyticsEvent {
  return {
    id: uuidOfPrefixedId(response.id),
    projectId: response.projectId,
    environment: response.environment,
    eventName: 'survey_response',
    distinctId: response.userId ?? response.externalId ?? response.id,
    occurredAt: response.submittedAt,
    properties: {
      response_id: response.id,
      survey_id: response.surveyId,
      survey_version: response.surveyVersion,
      score: response.score,
    },
  };
}

/** Accepted responses become one job that copies them, however many arrive together. */
export function analyticsReaction(jobs: JobQueue): Reaction {
  return {
    name: 'analytics copy',
    matches: (kind) => kind === 'pulse.response.submitted',
    react: (ctx, events) =>
      jobs.enqueue(ctx, 'pulse.copy_responses', { responseIds: events.map(({ objectId }) => objectId) }),
  };
}
