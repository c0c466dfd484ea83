import { Field, ID, Int, ObjectType } from 'type-graphql';

@ObjectType({ description: 'When clients show the survey.' })
export class TargetingRule {
  @Field(() => String, {
    description: 'event:, session_count >=, cohort:, screen:, props.<key> = "value", AND( , ), OR( , ).',
  })
  predicate!: string;

  @Field(() => Int, { description: 'How many of a thousand eligible users see the survey.' })
  weightNumerator!: number;
}

@ObjectType({ description: 'Which question follows another one, depending on its answer.' })
export class BranchingRule {
  surveyId?: string;

  @Field(() => ID)
  fromQuestionId!: string;

  @Field(() => String, { description: 'For example answer <= 6, answer contains "price", answered, always.' })
  predicate!: string;

  @Field(() => ID, { nullable: true, description: 'Null ends the survey.' })
  toQuestionId!: string | null;
}

@ObjectType({ description: 'Colors and font of a survey.' })
export class SurveyTheme {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true })
  primaryColor!: string | null;

  @Field(() => String, { nullable: true })
  backgroundColor!: string | null;

  @Field(() => String, { nullable: true })
  foregroundColor!: string | null;

  @Field(() => String, { nullable: true })
  fontFamily!: string | null;

  @Field(() => Boolean, { nullable: true })
  darkMode!: boolean | null;

  @Field(() => String, { nullable: true })
  logoUrl!: string | null;
}

/** Language code → string key (`survey.name`, `question.<id>.prompt`) → translated text. */
export type SurveyTranslations = Readonly<Record<string, Readonly<Record<string, string>>>>;
