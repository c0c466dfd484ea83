import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { AnswerValue } from '../questions/question-kinds.js';

/** One row per answered question of a response (docs/rest.md, Surveys). */
@Entity({ tableName: 'survey_answer' })
export class SurveyAnswer {
  @PrimaryKey({ type: 'text' })
  responseId!: string;

  @PrimaryKey({ type: 'text' })
  questionId!: string;

  @Property({ type: 'json' })
  value!: AnswerValue;
}
