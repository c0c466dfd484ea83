import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { storableText } from '../../../kernel/text.js';
import { pulseFailure } from '../pulse.errors.js';
import type { SurveyService } from '../surveys/survey.service.js';
import { SurveyDistribution } from './survey-distribution.entity.js';

const MAX_NAME = 200;

/** E-mail distributions of surveys, to which responses are attributed (docs/rest.md, Surveys). */
export class DistributionService {
  constructor(
    private readonly surveys: SurveyService,
    private readonly events: EventLog,
  ) {}

  /** Fails with `survey_not_found`, `bad_survey`. */
  async create(ctx: Context, input: { surveyId: string; name: string }): Promise<SurveyDistribution> {
    const { survey } = await this.surveys.visible(ctx, 'pulse.survey.change', input.surveyId);
    const name = storableText(input.name);
    if (name.trim() === '' || name.length > MAX_NAME) {
      throw pulseFailure('bad_survey', { path: 'name', problem: `1 to ${MAX_NAME} characters` });
    }
    const distribution = ctx.em.create(SurveyDistribution, { surveyId: survey.id, name, createdAt: ctx.now() });
    this.events.emit(ctx, 'pulse.distribution.created', {
      organizationId: survey.organizationId,
      projectId: survey.projectId,
      object: { type: 'survey_distribution', id: distribution.id },
      data: { id: distribution.id, survey_id: survey.id },
      after: { name },
    });
    return distribution;
  }
}
