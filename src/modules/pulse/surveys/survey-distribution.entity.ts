import { Entity, Index } from '@mikro-orm/decorators/legacy';
import { ID, ObjectType } from 'type-graphql';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { TextIndex } from '../../../kernel/database/indexes.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { Edge } from '../../access/graph/edge.js';
import { Survey } from './survey.entity.js';

@ObjectType({
  implements: Node,
  description: 'An email that contained the survey; responses that name it are attributed to it.',
})
@Entity({ tableName: 'survey_distribution' })
@TextIndex('survey_distribution_text_index', 'survey_distribution', ['name'])
@Index({ name: 'survey_distribution_created_index', properties: ['surveyId', 'id'] })
@Index({ name: 'survey_distribution_name_index', properties: ['surveyId', 'name', 'id'] })
export class SurveyDistribution extends DatedEntity {
  @IdColumn('text')
  id: string = newPrefixedId('dst');

  @Column('text', { as: () => ID })
  surveyId!: string;

  @Edge(() => Survey, 'surveyId')
  survey?: Survey;

  @Column('text')
  name!: string;
}
