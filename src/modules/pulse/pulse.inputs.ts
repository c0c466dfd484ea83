import { MaxLength, Min } from 'class-validator';
import { GraphQLJSONObject } from 'graphql-scalars';
import { ArgsType, Field, ID, InputType, Int } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { enumType } from '../../kernel/values/enum-type.js';
import { EnvironmentType } from '../access/environment.js';
import { IdInput, ProjectInput } from '../access/ids.inputs.js';
import type { QuestionKindCode } from './questions/question-kinds.js';
import { EXPORT_MEDIA_TYPES, type ExportFormat } from './responses/response-export.js';
import { SurveyKindType } from './surveys/survey.entity.js';
import type { SurveyKind } from './surveys/survey-kinds.js';
import { QuestionKindType } from './surveys/survey-question.entity.js';

const MAX_DESCRIPTION = 10_000;

@InputType()
export class SurveyQuestionInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'Letters, digits, - and _, unique in the survey; generated if absent. If the id stays the same, the question keeps its answers.',
  })
  id?: string | null;

  @Field(() => QuestionKindType)
  kind!: QuestionKindCode;

  @Field(() => String)
  prompt!: string;

  @Field(() => Boolean, { defaultValue: false })
  required?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'Defaults to the position in the list.' })
  orderIndex?: number | null;

  @Field(() => [String], { nullable: true, description: 'For select and multiselect.' })
  options?: string[] | null;

  @Field(() => Int, { nullable: true, description: 'For likert; defaults to 1.' })
  scaleMin?: number | null;

  @Field(() => Int, { nullable: true, description: 'For rating (defaults to 5) and likert (defaults to 7).' })
  scaleMax?: number | null;

  @Field(() => Int, { nullable: true, description: 'For text, in Unicode code points.' })
  maxLength?: number | null;

  @Field(() => String, { nullable: true })
  helpText?: string | null;
}

@InputType()
export class TargetingRuleInput {
  @Field(() => String)
  predicate!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'How many of a thousand eligible users see the survey; defaults to 1000.',
  })
  weightNumerator?: number | null;
}

@InputType()
export class BranchingRuleInput {
  @Field(() => ID)
  fromQuestionId!: string;

  @Field(() => String)
  predicate!: string;

  @Field(() => ID, { nullable: true, description: 'Null ends the survey.' })
  toQuestionId?: string | null;
}

@InputType()
export class SurveyThemeInput {
  @Field(() => String, { nullable: true, description: 'Hex color, like the other two.' })
  primaryColor?: string | null;

  @Field(() => String, { nullable: true })
  backgroundColor?: string | null;

  @Field(() => String, { nullable: true })
  foregroundColor?: string | null;

  @Field(() => String, { nullable: true })
  fontFamily?: string | null;

  @Field(() => Boolean, { nullable: true })
  darkMode?: boolean | null;

  @Field(() => String, { nullable: true })
  logoUrl?: string | null;
}

@InputType()
abstract class SurveyDraftInput {
  @Field(() => String, { nullable: true })
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;

  @Field(() => SurveyKindType, { nullable: true, description: 'Defaults to custom.' })
  kind?: SurveyKind | null;

  @Field(() => String, { nullable: true, description: 'Generated from the name if absent.' })
  slug?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Defaults to true.' })
  autoShow?: boolean | null;

  @Field(() => Int, { nullable: true, description: 'Defaults to a week.' })
  displayCooldownSeconds?: number | null;

  @Field(() => Int, { nullable: true, description: 'Defaults to 0.' })
  displayDelayMs?: number | null;

  @Field(() => [SurveyQuestionInput], { nullable: true })
  questions?: SurveyQuestionInput[] | null;

  @Field(() => [TargetingRuleInput], { nullable: true })
  targetingRules?: TargetingRuleInput[] | null;

  @Field(() => [BranchingRuleInput], { nullable: true })
  branchingRules?: BranchingRuleInput[] | null;

  @Field(() => SurveyThemeInput, { nullable: true, description: 'Null removes the theme.' })
  theme?: SurveyThemeInput | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'Language → survey.name or question.<id>.prompt → text.',
  })
  translations?: Record<string, unknown> | null;
}

@InputType()
export class CreateSurveyInput extends SurveyDraftInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => String)
  name!: string;
}

@InputType({ description: 'Absent fields stay unchanged; a list replaces the previous one.' })
export class UpdateSurveyInput extends SurveyDraftInput {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true })
  name?: string | null;

  @Field(() => Int, { nullable: true, description: 'Fails with VERSION_CONFLICT if it is not the current version.' })
  @Min(1)
  expectedVersion?: number | null;
}

@InputType()
export class CreateDistributionInput {
  @Field(() => ID)
  surveyId!: string;

  @Field(() => String)
  name!: string;
}

@InputType()
export class UpdateDistributionInput extends IdInput {
  @Field(() => String)
  name!: string;
}

@ArgsType()
export class ResultsArgs {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => Date, { nullable: true, description: 'Submitted at this instant or later.' })
  from?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Submitted at this instant or earlier.' })
  to?: Date | null;
}

@InputType({ description: 'Whose answers to erase: everyone who matches one of the identities.' })
export class DeleteRespondentInput extends ProjectInput {
  @Field(() => String, { nullable: true })
  userId?: string | null;

  @Field(() => String, { nullable: true })
  externalId?: string | null;

  @Field(() => String, { nullable: true })
  email?: string | null;
}

const ExportFormatType = enumType('ExportFormat', Object.keys(EXPORT_MEDIA_TYPES) as ExportFormat[], {
  description: 'Comma-separated values, or one JSON object per line.',
});

@ArgsType()
export class DownloadResponsesArgs {
  @Field(() => ExportFormatType, { defaultValue: 'csv' })
  format!: ExportFormat;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;
}
