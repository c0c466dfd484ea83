import { Entity, Index, PrimaryKey } from '@mikro-orm/decorators/legacy';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { Edge } from '../../access/graph/edge.js';
import { User } from '../../access/people/user.entity.js';
import { Survey } from './survey.entity.js';

@ObjectType({
  description: 'The content of a survey at one version; responses record the version that they answered.',
})
@Entity({ tableName: 'survey_version' })
@Index({ name: 'survey_version_created_index', properties: ['surveyId', 'createdAt', 'version'] })
export class SurveyVersion {
  @IdColumn('text')
  surveyId!: string;

  @Edge(() => Survey, 'surveyId')
  survey?: Survey;

  @Field(() => Int)
  @PrimaryKey({ type: 'integer' })
  version!: number;

  /** As listed by {@link surveyContent}. */
  @Column('json', {
    as: () => GraphQLJSONObject,
    description: 'Name, description, questions, rules, theme and translations, in the format of the survey.',
  })
  content!: Record<string, unknown>;

  @Column('text')
  actorId!: string;

  @Edge(() => User, 'actorId', 'Null if the server made the change.')
  actor?: User;

  @Column('Date')
  createdAt!: Date;
}
