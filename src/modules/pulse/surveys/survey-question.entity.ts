import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { TextArrayType } from '../../../kernel/database/text-array.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { Edge } from '../../access/graph/edge.js';
import type { Question } from '../questions/question.js';
import { QUESTION_KIND_CODES, type QuestionKindCode } from '../questions/question-kinds.js';
import { Survey } from './survey.entity.js';

export const QuestionKindType = enumType('QuestionKind', QUESTION_KIND_CODES);

@ObjectType({ description: 'A question of a survey. Its id is unique within the survey.' })
@Entity({ tableName: 'survey_question' })
export class SurveyQuestion implements Question {
  @IdColumn('text')
  surveyId!: string;

  @Edge(() => Survey, 'surveyId')
  survey?: Survey;

  @IdColumn('text')
  id!: string;

  @EnumColumn(QuestionKindType)
  kind!: QuestionKindCode;

  @Column('text')
  prompt!: string;

  @Column('boolean')
  required!: boolean;

  @Column('integer')
  orderIndex!: number;

  @Field(() => [String], { nullable: true })
  @Property({ type: TextArrayType, columnType: 'text[]', nullable: true })
  options!: string[] | null;

  @Column('integer', { nullable: true })
  scaleMin!: number | null;

  @Column('integer', { nullable: true })
  scaleMax!: number | null;

  @Column('integer', { nullable: true, description: 'For text, in Unicode code points.' })
  maxLength!: number | null;

  @Column('text', { nullable: true })
  helpText!: string | null;

  /** When an edit removed it; its row stays for the answers to it. */
  @Property({ type: 'Date', nullable: true })
  removedAt: Date | null = null;
}
