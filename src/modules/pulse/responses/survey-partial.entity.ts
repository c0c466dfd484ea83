import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';

/**
 * Partial answers of a person. After the submission the row stays, empty, until it expires, so that a late save can't bring the answers
 * back.
 */
@Entity({ tableName: 'survey_partial' })
@Index({ name: 'survey_partial_expiry_index', properties: ['expiresAt'] })
export class SurveyPartial {
  @PrimaryKey({ type: 'text' })
  surveyId!: string;

  @Enum({ items: () => [...ENVIRONMENTS], type: 'text', primary: true })
  environment!: Environment;

  @PrimaryKey({ type: 'text' })
  externalId!: string;

  @Property({ type: 'text' })
  id!: string;

  @Property({ type: 'json' })
  answers!: Record<string, unknown>;

  @Property({ type: 'text', nullable: true })
  currentQuestionId!: string | null;

  @Property({ type: 'json' })
  context!: Record<string, unknown>;

  @Property({ type: 'Date' })
  expiresAt!: Date;

  @Property({ type: 'Date' })
  updatedAt!: Date;

  @Property({ type: 'Date', nullable: true })
  submittedAt!: Date | null;
}
