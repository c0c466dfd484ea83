import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { newPrefixedId } from '../../kernel/ids.js';

@ObjectType({ description: 'An e-mail that carried the survey; responses that name it are attributed to it.' })
@Entity({ tableName: 'survey_distribution' })
export class SurveyDistribution {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('dst');

  @Field(() => ID)
  @Property({ type: 'text', index: 'survey_distribution_survey_index' })
  surveyId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Field(() => Date)
  @Property({ type: 'Date' })
  createdAt!: Date;
}
