import type { EventData } from '../../events/catalog.js';
import type { Reaction } from '../../events/dispatcher.js';
import type { JobQueue } from '../../jobs/job-queue.js';
import type { TriageService } from './triage.service.js';

/** Turns accepted survey responses into triage jobs if a rule waits for them. */
export function triageReaction(triage: TriageService, jobs: JobQueue): Reaction {
  return {
    name: 'triage',
    matches: (kind) => kind === 'pulse.response.submitted',
    async react(ctx, events) {
      const responses = events.map(({ projectId, data }) => ({
        projectId: projectId as string,
        response: data as EventData<'pulse.response.submitted'>,
      }));
      const bySurvey = Map.groupBy(responses, ({ projectId, response }) => `${projectId} ${response.survey_id}`);
      for (const group of bySurvey.values()) {
        const { projectId, response: first } = group[0] as (typeof group)[number];
        if (!(await triage.hasRules(ctx, projectId, first.survey_id))) continue;
        for (const { response } of group) {
          const { response_id: responseId, survey_id: surveyId, score } = response;
          await jobs.enqueue(ctx, 'plan.triage_response', { projectId, responseId, surveyId, score });
        }
      }
    },
  };
}
