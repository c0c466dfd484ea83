import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.js';
import type { List } from '../../../kernel/lists/list.js';
import type { Page } from '../../../kernel/paging.js';
import { REDACTED_EMAIL, redactEmails, redactEmailsIn } from '../../../kernel/values/email-redaction.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { ACTIONS } from '../../access/actions.js';
import { type ListOwner, listOfOwner } from '../../access/graph/list-edge.js';
import { hasRole, permit } from '../../access/guard.js';
import { ProjectRows } from '../../access/project-rows.js';
import { pulseFailure } from '../pulse.errors.js';
import type { SurveyRespondent } from '../pulse.results.js';
import type { AnswerValue } from '../questions/question-kinds.js';
import type { Survey } from '../surveys/survey.entity.js';
import type { SurveyService } from '../surveys/survey.service.js';
import { asksWho, namesAddress, responseConditions } from './response-conditions.js';
import { SURVEY_RESPONSES, type SurveyResponseListArgs } from './response-lists.js';
import { SurveyResponse } from './survey-response.entity.js';

/** Reading responses. Callers below Editor get no email addresses, whichever field a client put them in. */
export class ResponseService {
  private readonly rows = new ProjectRows(SurveyResponse, 'resp', () => pulseFailure('response_not_found'));

  constructor(private readonly surveys: SurveyService) {}

  /** Responses of a survey, newest first. Fails with `survey_not_found`, and with `permission_denied` for a filter by address. */
  async list(
    operation: OperationContext,
    surveyId: string,
    args: SurveyResponseListArgs,
  ): Promise<Page<SurveyResponse>> {
    const survey = await this.surveys.rows.get(operation.current, 'pulse.response.view', surveyId);
    return this.ofSurvey(operation, survey, args);
  }

  /** Like {@link list}, for a survey that the caller has been shown. */
  ofSurvey(operation: OperationContext, survey: Survey, args: SurveyResponseListArgs): Promise<Page<SurveyResponse>> {
    return this.ofOwner(operation, SURVEY_RESPONSES, survey, args);
  }

  /** Responses of an owner that the caller has been shown; `found` as for `listOfOwner`. */
  async ofOwner(
    operation: OperationContext,
    list: List<SurveyResponse>,
    owner: ListOwner & { projectId: string },
    { filter, ...args }: SurveyResponseListArgs,
    found: FilterQuery<SurveyResponse> | null = null,
  ): Promise<Page<SurveyResponse>> {
    if (filter && namesAddress(filter)) await permit(operation.current, 'pulse.response.read_email', owner.projectId);
    const wanted = filter ? responseConditions(filter, owner.projectId) : {};
    const [where, first] = filter && asksWho(filter) ? [{}, { $and: [wanted, found ?? {}] }] : [wanted, found];
    return listOfOwner(operation, 'pulse.response.view', list, owner, args, where, first);
  }

  /** Fails with `response_not_found`. */
  get(ctx: Context, id: unknown): Promise<SurveyResponse> {
    return this.rows.get(ctx, 'pulse.response.view', id);
  }

  async respondent(ctx: Context, response: SurveyResponse): Promise<SurveyRespondent> {
    const { userId, externalId, email } = response;
    if (await this.mayReadEmails(ctx, response.projectId)) return { userId, externalId, email };
    return {
      userId: userId && redactEmails(userId),
      externalId: externalId && redactEmails(externalId),
      email: email && REDACTED_EMAIL,
    };
  }

  /** A value that clients may fill freely: the response's context, distribution or an answer. */
  async freeValue<T extends AnswerValue | object | null>(ctx: Context, response: SurveyResponse, value: T): Promise<T> {
    return (await this.mayReadEmails(ctx, response.projectId)) ? value : (redactEmailsIn(value) as T);
  }

  /** Whether the caller is at least an Editor in the project. */
  mayReadEmails(ctx: Context, projectId: string): Promise<boolean> {
    return hasRole(ctx, projectId, ACTIONS['pulse.response.read_email']);
  }
}
