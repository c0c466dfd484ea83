import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { ID, ObjectType } from 'type-graphql';
import { DatedEntity } from '../../kernel/database/base-entity.js';
import { Column, EnumColumn, IdColumn } from '../../kernel/database/column.js';
import { newPrefixedId } from '../../kernel/ids.js';
import { Node } from '../../kernel/node.js';
import { enumType } from '../../kernel/values/enum-type.js';
import { Edge } from '../access/graph/edge.js';
import { GraphNode } from '../access/graph/node.js';
import { Project } from '../access/projects/project.entity.js';
import { Board } from './board.entity.js';
import { SCORE_COMPARISON_CODES, type ScoreComparison } from './score-comparisons.js';

export const ScoreComparisonType = enumType('ScoreComparison', SCORE_COMPARISON_CODES);

@GraphNode<TriageRule>({ view: 'plan.board.view', actions: ['plan.board.change'] })
@ObjectType({
  implements: Node,
  description: 'Responses to a survey with a matching score become tickets on the board.',
})
@Entity({ tableName: 'triage_rule' })
@Index({ name: 'triage_rule_survey_index', properties: ['projectId', 'surveyId'] })
@Index({ name: 'triage_rule_project_index', properties: ['projectId', 'id'] })
@Index({ name: 'triage_rule_of_survey_index', properties: ['surveyId', 'id'] })
@Index({ name: 'triage_rule_board_index', properties: ['boardId', 'id'] })
export class TriageRule extends DatedEntity {
  @IdColumn('text')
  id: string = newPrefixedId('trg');

  @Column('text', { as: () => ID })
  boardId!: string;

  @Edge(() => Board, 'boardId')
  board?: Board;

  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Column('text', { as: () => ID })
  surveyId!: string;

  @EnumColumn(ScoreComparisonType, { description: "How the response's score is compared with the rule's." })
  comparison!: ScoreComparison;

  @Column('integer')
  score!: number;
}
