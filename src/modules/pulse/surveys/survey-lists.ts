import { ArgsType, Field } from 'type-graphql';
import { enumFilter, InstantFilter, IntFilter, TextFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { Survey, SurveyKindType, SurveyStatusType } from './survey.entity.js';
import type { SurveyKind } from './survey-kinds.js';
import type { SurveyStatus } from './survey-statuses.js';
import { SurveyVersion } from './survey-version.entity.js';

export const SURVEYS = listOf(Survey, {
  owner: 'projectId',
  // Ids sort by creation.
  orders: { createdAt: ['id'], updatedAt: ['updatedAt'], name: ['name'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: {
    name: TextFilter,
    slug: TextFilter,
    status: enumFilter(SurveyStatusType, 'SurveyStatus'),
    kind: enumFilter(SurveyKindType, 'SurveyKind'),
    createdAt: InstantFilter,
    updatedAt: InstantFilter,
  },
  search: ['name', 'description'],
});

@ArgsType()
export class SurveyListArgs extends listArgs(SURVEYS) {
  @Field(() => SurveyStatusType, { nullable: true, deprecationReason: 'Use `filter: { status: { eq } }`.' })
  status?: SurveyStatus | null;

  @Field(() => SurveyKindType, { nullable: true, deprecationReason: 'Use `filter: { kind: { eq } }`.' })
  kind?: SurveyKind | null;
}

export const SURVEY_VERSIONS = listOf(SurveyVersion, {
  owner: 'surveyId',
  orders: { version: ['version'] },
  usualOrder: { field: 'version', direction: 'desc' },
  filters: { version: IntFilter, createdAt: InstantFilter },
});

export const SurveyVersionListArgs = listArgs(SURVEY_VERSIONS);
