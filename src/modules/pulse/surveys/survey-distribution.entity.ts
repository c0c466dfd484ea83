import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { Edge } from '../../access/graph/edge.js';
import { Survey } from './survey.entity.js';

@ObjectType({
  implements: Node,
  description: 'An email that contained the survey; responses that name it are attributed to it.',
})
@Entity({ tableName: 'survey_distribution' })
@Index({
  name: 'survey_distribution_text_index',
  expression: 'create index "survey_distribution_text_index" on "survey_distribution" using gin ("name" gin_trgm_ops)',
})
@Index({ name: 'survey_distribution_created_index', properties: ['surveyId', 'id'] })
@Index({ name: 'survey_distribution_name_index', properties: ['surveyId', 'name', 'id'] })
export class SurveyDistribution extends DatedEntity {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('dst');

  @Field(() => ID)
  @Property({ type: 'text' })
  surveyId!: string;

  @Edge(() => Survey, 'surveyId')
  survey?: Survey;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;
}
