import { Entity, Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import { Edge } from '../../access/graph/edge.js';
import type { Question } from '../questions/question.js';
import { QUESTION_KIND_CODES, type QuestionKindCode } from '../questions/question-kinds.js';
import { Survey } from './survey.entity.js';

export const QuestionKindType = Object.fromEntries(QUESTION_KIND_CODES.map((kind) => [kind, kind])) as {
  [K in QuestionKindCode]: K;
};
registerEnumType(QuestionKindType, { name: 'QuestionKind' });

@ObjectType({ description: 'A question of a survey. Its id is unique within the survey.' })
@Entity({ tableName: 'survey_question' })
export class SurveyQuestion implements Question {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  surveyId!: string;

  @Edge(() => Survey, 'surveyId')
  survey?: Survey;

  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Field(() => QuestionKindType)
  @Enum({ items: () => [...QUESTION_KIND_CODES], type: 'text' })
  kind!: QuestionKindCode;

  @Field(() => String)
  @Property({ type: 'text' })
  prompt!: string;

  @Field(() => Boolean)
  @Property({ type: 'boolean' })
  required!: boolean;

  @Field(() => Int)
  @Property({ type: 'integer' })
  orderIndex!: number;

  @Field(() => [String], { nullable: true })
  @Property({ type: TextArrayType, columnType: 'text[]', nullable: true })
  options!: string[] | null;

  @Field(() => Int, { nullable: true })
  @Property({ type: 'integer', nullable: true })
  scaleMin!: number | null;

  @Field(() => Int, { nullable: true })
  @Property({ type: 'integer', nullable: true })
  scaleMax!: number | null;

  @Field(() => Int, { nullable: true, description: 'For text, in Unicode code points.' })
  @Property({ type: 'integer', nullable: true })
  maxLength!: number | null;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  helpText!: string | null;

  /** When an edit removed it; its row stays for the answers to it. */
  @Property({ type: 'Date', nullable: true })
  removedAt: Date | null = null;
}
