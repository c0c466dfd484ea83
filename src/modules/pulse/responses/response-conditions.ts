import { type FilterQuery, raw } from '@mikro-orm/postgresql';
import { type ExactTextFilter, filterQuery } from '../../../kernel/lists/field-filters.js';
import { hasEmailIn } from '../../../kernel/values/email-redaction.js';
import type { SurveyRespondentFilter, SurveyResponseFilter } from './response-lists.js';
import type { SurveyResponse } from './survey-response.entity.js';

/** A filter's conditions, under whichever names. */
interface Wanted {
  filters: Pick<
    SurveyResponseFilter,
    'inEnvironment' | 'score' | 'submittedAt' | 'version' | 'attributedTo' | 'sentDistributionId'
  >;
  respondent: SurveyRespondentFilter;
}

/** The conditions under a filter's current names, and those under its 0.1.0 names. */
function wantedBy(filter: SurveyResponseFilter): Wanted[] {
  const { respondent, ...filters } = filter;
  const { environment, scoreMin, scoreMax, submittedFrom, submittedTo, surveyVersion } = filter;
  const { distributionId, userId, externalId, email } = filter;
  return [
    { filters, respondent: respondent ?? {} },
    {
      filters: {
        inEnvironment: { eq: environment },
        score: { from: scoreMin ?? null, to: scoreMax ?? null },
        submittedAt: { from: submittedFrom ?? null, to: submittedTo ?? null },
        version: { eq: surveyVersion ?? null },
        sentDistributionId: { eq: distributionId ?? null },
      },
      respondent: {
        userId: { eq: userId ?? null },
        externalId: { eq: externalId ?? null },
        email: { eq: email ?? null },
      },
    },
  ];
}

export function responseConditions(filter: SurveyResponseFilter, projectId: string): FilterQuery<SurveyResponse> {
  const conditions = wantedBy(filter).map(({ filters, respondent }) => {
    const { inEnvironment, score, submittedAt, version, attributedTo, sentDistributionId } = filters;
    const own = {
      environment: inEnvironment,
      score,
      submittedAt,
      surveyVersion: version,
      attributedTo,
      distributionId: sentDistributionId,
    };
    return { $and: [filterQuery<SurveyResponse>(own, () => true), ...respondentConditions(respondent, projectId)] };
  });
  return { $and: conditions } as FilterQuery<SurveyResponse>;
}

export const asksWho = (filter: SurveyResponseFilter): boolean =>
  wantedBy(filter).some(({ respondent }) => Object.values(respondent).some((one) => textsOf(one).length > 0));

/** Whether a filter has a condition on an email address, or contains one. */
export const namesAddress = (filter: SurveyResponseFilter): boolean =>
  wantedBy(filter).some(
    ({ filters: { sentDistributionId }, respondent: { email, userId, externalId } }) =>
      textsOf(email).length > 0 || hasEmailIn([sentDistributionId, userId, externalId].flatMap(textsOf)),
  );

const textsOf = (filter: ExactTextFilter | null | undefined): string[] =>
  [filter?.eq, ...(filter?.in ?? [])].filter((text) => typeof text === 'string');

/** Each is looked up among all responses of the project, where indexes cover them. */
function respondentConditions(
  { userId, externalId, email }: SurveyRespondentFilter,
  projectId: string,
): FilterQuery<SurveyResponse>[] {
  const texts: [place: string, filter: ExactTextFilter | null | undefined][] = [
    ['r.user_id = any(?::text[])', userId],
    ['r.external_id = any(?::text[])', externalId],
    ['lower(r.email) = any(array(select lower(address) from unnest(?::text[]) address))', email],
  ];
  return texts.flatMap(([sql, filter]) =>
    [filter?.eq == null ? null : [filter.eq], filter?.in].flatMap((some) =>
      some ? [{ [raw(`r.project_id = ? and ${sql}`, [projectId, some])]: [] } as FilterQuery<SurveyResponse>] : [],
    ),
  );
}
