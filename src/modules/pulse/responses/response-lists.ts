import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import {
  ExactTextFilter,
  IdFilter,
  InstantFilter,
  IntFilter,
  TextFilter,
} from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { EnvironmentFilter, EnvironmentType } from '../../access/environment.js';
import { SurveyDistribution } from '../surveys/survey-distribution.entity.js';
import { SurveyResponse } from './survey-response.entity.js';

export const SURVEY_RESPONSES = listOf(SurveyResponse, {
  owner: 'surveyId',
  // Ids sort by creation.
  orders: { createdAt: ['id'], submittedAt: ['submittedAt'] },
  usualOrder: { field: 'createdAt', direction: 'desc' },
  mostCounted: 100_000,
});

export const DISTRIBUTION_RESPONSES: typeof SURVEY_RESPONSES = { ...SURVEY_RESPONSES, owner: 'attributedTo' };

@InputType({ description: 'All given conditions must match.' })
export class SurveyRespondentFilter {
  @Field(() => ExactTextFilter, { nullable: true, description: 'The id of the user, as the client sent it.' })
  userId?: ExactTextFilter | null;

  @Field(() => ExactTextFilter, { nullable: true, description: 'The external id, as the client sent it.' })
  externalId?: ExactTextFilter | null;

  @Field(() => ExactTextFilter, {
    nullable: true,
    description: 'The email address, case-insensitive. Requires Editor: a filter reveals as much as the field.',
  })
  email?: ExactTextFilter | null;
}

const instead = (name: string) => ({ nullable: true, deprecationReason: `Use \`${name}\`.` });

@InputType({ description: 'All given conditions must match.' })
export class SurveyResponseFilter {
  @Field(() => EnvironmentFilter, { nullable: true, description: "The environment of the response's key." })
  inEnvironment?: object | null;

  @Field(() => IntFilter, { nullable: true, description: 'Filters by `score`.' })
  score?: IntFilter | null;

  @Field(() => InstantFilter, { nullable: true, description: 'When the response was submitted.' })
  submittedAt?: InstantFilter | null;

  @Field(() => IntFilter, { nullable: true, description: 'The version of the survey that was answered.' })
  version?: IntFilter | null;

  @Field(() => IdFilter, {
    nullable: true,
    description: 'The distribution of this survey that the response came from.',
  })
  attributedTo?: IdFilter | null;

  @Field(() => ExactTextFilter, {
    nullable: true,
    description: 'Filters by `distributionId`: the distribution as the client sent it.',
  })
  sentDistributionId?: ExactTextFilter | null;

  @Field(() => SurveyRespondentFilter, { nullable: true, description: 'Who answered.' })
  respondent?: SurveyRespondentFilter | null;

  @Field(() => EnvironmentType, instead('inEnvironment: { eq }'))
  environment?: Environment | null;

  @Field(() => Int, instead('score: { from }'))
  scoreMin?: number | null;

  @Field(() => Int, instead('score: { to }'))
  scoreMax?: number | null;

  @Field(() => Date, instead('submittedAt: { from }'))
  submittedFrom?: Date | null;

  @Field(() => Date, instead('submittedAt: { to }'))
  submittedTo?: Date | null;

  @Field(() => Int, instead('version: { eq }'))
  surveyVersion?: number | null;

  @Field(() => String, instead('respondent: { userId: { eq } }'))
  userId?: string | null;

  @Field(() => String, instead('respondent: { externalId: { eq } }'))
  externalId?: string | null;

  @Field(() => String, {
    ...instead('respondent: { email: { eq } }'),
    description: 'Requires Editor: a filter reveals as much as the field.',
  })
  email?: string | null;

  @Field(() => String, instead('sentDistributionId: { eq }'))
  distributionId?: string | null;
}

@ArgsType()
export class SurveyResponseListArgs extends listArgs(SURVEY_RESPONSES) {
  @Field(() => SurveyResponseFilter, { nullable: true })
  declare filter?: SurveyResponseFilter | null;
}

export const SURVEY_DISTRIBUTIONS = listOf(SurveyDistribution, {
  owner: 'surveyId',
  // Ids sort by creation.
  orders: { createdAt: ['id'], name: ['name'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { name: TextFilter, createdAt: InstantFilter },
  search: ['name'],
});

@ArgsType()
export class SurveyDistributionsArgs extends listArgs(SURVEY_DISTRIBUTIONS) {
  @Field(() => ID)
  surveyId!: string;
}
