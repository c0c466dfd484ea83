import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { isPrefixedId } from '../../../kernel/ids.js';
import type { Page } from '../../../kernel/paging.js';
import { isLongerThan, storableText } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { Action } from '../../access/actions.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorizeRow, lockRow } from '../../access/project-rows.js';
import { pulseFailure } from '../pulse.errors.js';
import type { CreateDistributionInput, UpdateDistributionInput } from '../pulse.inputs.js';
import { Survey } from '../surveys/survey.entity.js';
import type { SurveyService } from '../surveys/survey.service.js';
import { SurveyDistribution } from '../surveys/survey-distribution.entity.js';
import { SURVEY_DISTRIBUTIONS, type SurveyDistributionsArgs } from './response-lists.js';

const MAX_NAME = 200;

/** Email distributions of surveys, to which responses are attributed (docs/rest.md, Surveys). */
export class DistributionService {
  constructor(
    private readonly surveys: SurveyService,
    private readonly events: EventLog,
  ) {}

  /** A survey's distributions, oldest first. Fails with `survey_not_found`. */
  async list(
    operation: OperationContext,
    { surveyId, ...args }: SurveyDistributionsArgs,
  ): Promise<Page<SurveyDistribution>> {
    const survey = await this.surveys.rows.get(operation.current, 'pulse.survey.view', surveyId);
    const owner = { id: survey.id, projectId: survey.projectId };
    return listOfOwner(operation, 'pulse.survey.view', SURVEY_DISTRIBUTIONS, owner, args);
  }

  /** Fails with `distribution_not_found`. */
  async get(ctx: Context, id: unknown): Promise<SurveyDistribution> {
    return (await this.visible(ctx, 'pulse.survey.view', id)).distribution;
  }

  /** Fails with `survey_not_found`, `bad_survey`. */
  async create(ctx: Context, input: CreateDistributionInput): Promise<SurveyDistribution> {
    const survey = await this.surveys.rows.get(ctx, 'pulse.survey.change', input.surveyId);
    const name = nameOf(input.name);
    const distribution = ctx.em.create(SurveyDistribution, { surveyId: survey.id, name, createdAt: ctx.now() });
    this.events.emitChange(ctx, 'pulse.distribution.created', aboutDistribution(survey, distribution), null, { name });
    return distribution;
  }

  /** Fails with `distribution_not_found`, `bad_survey`. */
  async rename(ctx: Context, input: UpdateDistributionInput): Promise<SurveyDistribution> {
    const { distribution, survey } = await this.locked(ctx, input.id);
    const before = { name: distribution.name };
    distribution.name = nameOf(input.name);
    this.events.emitChange(ctx, 'pulse.distribution.changed', aboutDistribution(survey, distribution), before, {
      name: distribution.name,
    });
    return distribution;
  }

  /** Its responses stay. Fails with `distribution_not_found`. */
  async delete(ctx: Context, id: string): Promise<{ id: string }> {
    const { distribution, survey } = await this.locked(ctx, id);
    this.events.emitChange(
      ctx,
      'pulse.distribution.deleted',
      aboutDistribution(survey, distribution),
      { name: distribution.name },
      null,
    );
    ctx.em.remove(distribution);
    return { id: distribution.id };
  }

  private async visible(
    ctx: Context,
    action: Action,
    id: unknown,
  ): Promise<{ distribution: SurveyDistribution; survey: Survey }> {
    const invisible = () => pulseFailure('distribution_not_found');
    const distribution = isPrefixedId('dst', id) ? await ctx.em.findOne(SurveyDistribution, { id }) : null;
    const found = distribution && (await ctx.em.findOne(Survey, { id: distribution.surveyId }));
    const { row: survey } = await authorizeRow(ctx, action, found, invisible);
    return { distribution: distribution as SurveyDistribution, survey };
  }

  private async locked(ctx: Context, id: string): Promise<{ distribution: SurveyDistribution; survey: Survey }> {
    const found = await this.visible(ctx, 'pulse.survey.change', id);
    await lockRow(ctx, found.distribution, () => pulseFailure('distribution_not_found'));
    return found;
  }
}

const aboutDistribution = (survey: Survey, { id }: SurveyDistribution) => ({
  organizationId: survey.organizationId,
  projectId: survey.projectId,
  object: { type: 'survey_distribution', id },
  data: { id, survey_id: survey.id },
});

function nameOf(text: string): string {
  const name = storableText(text);
  if (name.trim() === '' || isLongerThan(name, MAX_NAME))
    throw pulseFailure('bad_survey', { path: 'name', problem: `1 to ${MAX_NAME} characters` });
  return name;
}
