import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { pulseFailure } from '../pulse.errors.js';
import type { Survey } from './survey.entity.js';
import type { SurveyService } from './survey.service.js';
import { markChanged } from './survey-history.js';
import { currentQuestions } from './survey-questions.js';
import { mayTransition, SURVEY_TRANSITIONS, type SurveyTransition } from './survey-statuses.js';

/** Moves surveys between their statuses (docs/rest.md, Surveys). */
export class SurveyLifecycleService {
  constructor(
    private readonly surveys: SurveyService,
    private readonly events: EventLog,
  ) {}

  /** Repeating a transition changes nothing. Fails with `survey_not_found`, `transition_refused`, `no_questions`. */
  async move(ctx: Context, transition: SurveyTransition, id: string): Promise<Survey> {
    const { row: survey } = await this.surveys.rows.locked(ctx, 'pulse.survey.change', id);
    const { to, event } = SURVEY_TRANSITIONS[transition];
    if (survey.status === to) return survey;
    if (!mayTransition(transition, survey.status))
      throw pulseFailure('transition_refused', { transition, status: survey.status });
    if (transition === 'publish' && (await currentQuestions(ctx, survey.id)).length === 0)
      throw pulseFailure('no_questions');
    const before = { status: survey.status };
    survey.status = to;
    survey.archivedAt = to === 'archived' ? ctx.now() : null;
    await markChanged(ctx, survey);
    this.events.emit(ctx, event, {
      organizationId: survey.organizationId,
      projectId: survey.projectId,
      object: { type: 'survey', id: survey.id },
      data: { survey_id: survey.id, name: survey.name, status: survey.status },
      before,
      after: { status: survey.status },
    });
    return survey;
  }
}
