import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLJSONObject } from 'graphql-scalars';
import { ID, ObjectType } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { SqlIndex } from '../../../kernel/database/indexes.js';
import { Node } from '../../../kernel/node.js';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';
import { Survey } from '../surveys/survey.entity.js';

/**
 * A response (docs/rest.md, Surveys). Anything that may contain an email address is redacted below Editor, or has no field here and is only
 * available through {@link ResponseService}, which knows the caller's role.
 */
@GraphNode<SurveyResponse>({
  view: 'pulse.response.view',
  actions: ['pulse.response.read_email', 'pulse.respondent.delete'],
})
@ObjectType({
  implements: Node,
  description: "One person's answers to a survey.",
})
@Entity({ tableName: 'survey_response' })
@Index({ name: 'survey_response_survey_index', properties: ['surveyId', 'id'] })
@Index({ name: 'survey_response_submitted_index', properties: ['surveyId', 'submittedAt', 'id'] })
@Index({ name: 'survey_response_environment_index', properties: ['surveyId', 'environment', 'id'] })
@Index({ name: 'survey_response_version_index', properties: ['surveyId', 'surveyVersion', 'id'] })
@SqlIndex('survey_response_score_index', '"survey_response" ("survey_id", "score", "id") where score is not null')
@SqlIndex(
  'survey_response_insert_id_index',
  '"survey_response" ("survey_id", "environment", "insert_id") where insert_id is not null',
  { unique: true },
)
@SqlIndex(
  'survey_response_sent_distribution_index',
  '"survey_response" ("survey_id", "distribution_id", "id") where distribution_id is not null',
)
@SqlIndex('survey_response_user_index', '"survey_response" ("project_id", "user_id") where user_id is not null')
@SqlIndex(
  'survey_response_external_index',
  '"survey_response" ("project_id", "external_id") where external_id is not null',
)
@SqlIndex('survey_response_email_index', '"survey_response" ("project_id", lower(email)) where email is not null')
@SqlIndex(
  'survey_response_of_distribution_index',
  '"survey_response" ("attributed_to", "id") where attributed_to is not null',
)
@SqlIndex(
  'survey_response_of_distribution_submitted_index',
  '"survey_response" ("attributed_to", "submitted_at", "id") where attributed_to is not null',
)
export class SurveyResponse extends DatedEntity {
  @IdColumn('text')
  id!: string;

  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Column('text', { as: () => ID })
  surveyId!: string;

  @Edge(() => Survey, 'surveyId')
  survey?: Survey;

  @Column('integer')
  surveyVersion!: number;

  @EnumColumn(EnvironmentType)
  environment!: Environment;

  @Column('integer', {
    nullable: true,
    description: 'The answer to the first answered nps, rating, csat or likert question.',
  })
  score!: number | null;

  @Property({ type: 'text', nullable: true })
  userId!: string | null;

  @Property({ type: 'text', nullable: true })
  externalId!: string | null;

  @Property({ type: 'text', nullable: true })
  email!: string | null;

  @Column('text', { nullable: true, description: 'As the client sent it.' })
  @RedactedBelowEditor()
  distributionId!: string | null;

  @Column('text', {
    as: () => ID,
    nullable: true,
    description: 'The distribution of this survey that the response came from.',
  })
  attributedTo!: string | null;

  @Column('json', {
    as: () => GraphQLJSONObject,
    description: 'As the client sent it; email addresses in it are redacted below Editor.',
  })
  @RedactedBelowEditor()
  context!: Record<string, unknown>;

  @Column('Date')
  submittedAt!: Date;

  /** The client's id of the submission, the same in every repeat. */
  @Property({ type: 'text', nullable: true })
  insertId!: string | null;

  /** Set when the person is deleted: from then on the project's events contain no copy of the response. */
  @Property({ type: 'boolean', default: false })
  isPersonDeleted!: boolean;
}
