import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { InstantFilter, TextFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { EnvironmentType } from '../../access/keys/project-key.entity.js';
import { SurveyDistribution } from './survey-distribution.entity.js';
import { SurveyResponse } from './survey-response.entity.js';

export const SURVEY_RESPONSES = listOf(SurveyResponse, {
  owner: 'surveyId',
  // Ids sort by creation.
  orders: { createdAt: ['id'], submittedAt: ['submittedAt'] },
  usualOrder: { field: 'createdAt', direction: 'desc' },
  mostCounted: 100_000,
});

/** Those that came from a distribution. */
export const DISTRIBUTION_RESPONSES: typeof SURVEY_RESPONSES = { ...SURVEY_RESPONSES, owner: 'attributedTo' };

@InputType({ description: 'All given conditions must hold.' })
export class SurveyResponseFilter {
  @Field(() => EnvironmentType, { nullable: true })
  environment?: Environment | null;

  @Field(() => Int, { nullable: true })
  scoreMin?: number | null;

  @Field(() => Int, { nullable: true })
  scoreMax?: number | null;

  @Field(() => Date, { nullable: true })
  submittedFrom?: Date | null;

  @Field(() => Date, { nullable: true })
  submittedTo?: Date | null;

  @Field(() => Int, { nullable: true })
  surveyVersion?: number | null;

  @Field(() => String, { nullable: true })
  userId?: string | null;

  @Field(() => String, { nullable: true })
  externalId?: string | null;

  @Field(() => String, { nullable: true, description: 'Editors only: a filter tells as much as the field.' })
  email?: string | null;

  @Field(() => String, { nullable: true })
  distributionId?: string | null;
}

@ArgsType()
export class SurveyResponseListArgs extends listArgs(SURVEY_RESPONSES) {
  @Field(() => SurveyResponseFilter, { nullable: true })
  declare filter?: SurveyResponseFilter | null;
}

@ArgsType()
export class SurveyResponsesArgs extends SurveyResponseListArgs {
  @Field(() => ID)
  surveyId!: string;
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
