import { GraphQLDate, GraphQLJSON } from 'graphql-scalars';
import { Field, Float, ID, Int, ObjectType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { EnvironmentType } from '../access/environment.js';
import { Edge } from '../access/graph/edge.js';
import type { AnswerValue, QuestionKindCode } from './questions/question-kinds.js';
import { Survey } from './surveys/survey.entity.js';
import { QuestionKindType } from './surveys/survey-question.entity.js';

@ObjectType({ description: 'Who answered; the email address is redacted below Editor.' })
export class SurveyRespondent {
  @Field(() => String, { nullable: true })
  userId!: string | null;

  @Field(() => String, { nullable: true })
  externalId!: string | null;

  @Field(() => String, { nullable: true })
  email!: string | null;
}

@ObjectType({ description: 'One answered question of a response.' })
export class SurveyResponseAnswer {
  surveyId!: string;

  @Field(() => ID)
  questionId!: string;

  @Field(() => GraphQLJSON, {
    description: 'A text, an integer, a boolean or a list of options, depending on the kind.',
  })
  value!: AnswerValue;
}

@ObjectType({ description: 'Net promoter score: percentage of promoters minus percentage of detractors.' })
export class NpsSummary {
  @Field(() => Float, { nullable: true, description: '-100 to 100; null without answers.' })
  score!: number | null;

  @Field(() => Int, { description: 'Answers 9 and 10.' })
  promoters!: number;

  @Field(() => Int, { description: 'Answers 7 and 8.' })
  passives!: number;

  @Field(() => Int, { description: 'Answers 0 to 6.' })
  detractors!: number;
}

@ObjectType({ description: 'How often an answer was given.' })
export class AnswerShare {
  @Field(() => String)
  value!: string;

  @Field(() => Int)
  count!: number;

  @Field(() => Float, { description: 'Share of those who answered the question, 0 to 1.' })
  share!: number;
}

@ObjectType()
export class SurveyQuestionResults {
  surveyId!: string;

  @Field(() => ID)
  questionId!: string;

  @Field(() => String)
  prompt!: string;

  @Field(() => QuestionKindType)
  kind!: QuestionKindCode;

  @Field(() => Boolean, { description: 'The survey no longer includes the question.' })
  removed!: boolean;

  @Field(() => Int, { description: 'Number of responses that answered it.' })
  answered!: number;

  @Field(() => NpsSummary, { nullable: true })
  nps!: NpsSummary | null;

  @Field(() => Float, { nullable: true, description: 'Mean, for questions with a scale.' })
  average!: number | null;

  @Field(() => [AnswerShare], { description: 'In the order of the scale or the options; empty for free text.' })
  distribution!: readonly AnswerShare[];
}

@ObjectType()
export class SurveyResultsDay {
  @Field(() => String, { description: 'Day in UTC, such as 2026-11-21; days without responses are left out.' })
  day!: string;

  @Field(() => GraphQLDate, { description: '`day`, as a date.' })
  date!: string;

  @Field(() => Int)
  responses!: number;

  @Field(() => Float, { nullable: true })
  averageScore!: number | null;

  @Field(() => NpsSummary, { nullable: true })
  nps!: NpsSummary | null;
}

@ObjectType({ description: 'Results of a survey in one environment.' })
export class SurveyResults {
  @Field(() => ID)
  surveyId!: string;

  @Edge(() => Survey, 'surveyId')
  survey?: Survey;

  @Field(() => EnvironmentType)
  environment!: Environment;

  @Field(() => Int)
  responses!: number;

  @Field(() => Float, { nullable: true })
  averageScore!: number | null;

  @Field(() => NpsSummary, { nullable: true, description: "Of the survey's first nps question." })
  nps!: NpsSummary | null;

  @Field(() => [SurveyQuestionResults])
  questions!: SurveyQuestionResults[];

  @Field(() => [SurveyResultsDay])
  overTime!: SurveyResultsDay[];

  @Field(() => Date, {
    description:
      'The results include every response accepted before this instant: now, or at most a minute ago with an analytics store.',
  })
  asOf!: Date;
}

@ObjectType({ description: 'What was erased.' })
export class DeletedRespondent {
  @Field(() => Int)
  responses!: number;

  @Field(() => Int, { description: 'Number of partial saves that were not submitted.' })
  partials!: number;
}
