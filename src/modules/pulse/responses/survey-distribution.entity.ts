import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { DatedEntity } from '../../../kernel/base-entity.js';
import { newPrefixedId } from '../../../kernel/ids.js';

@ObjectType({ description: 'An e-mail that carried the survey; responses that name it are attributed to it.' })
@Entity({ tableName: 'survey_distribution' })
export class SurveyDistribution extends DatedEntity {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('dst');

  @Field(() => ID)
  @Property({ type: 'text', index: 'survey_distribution_survey_index' })
  surveyId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;
}
