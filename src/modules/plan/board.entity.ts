import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { DatedEntity } from '../../kernel/database/base-entity.js';
import { newPrefixedId } from '../../kernel/ids.js';
import { Node } from '../../kernel/node.js';
import { Edge } from '../access/graph/edge.js';
import { GraphNode } from '../access/graph/node.js';
import { Project } from '../access/projects/project.entity.js';

@GraphNode<Board>({ view: 'plan.board.view', actions: ['plan.board.change', 'plan.ticket.change'] })
@ObjectType({ implements: Node, description: 'A board with tickets.' })
@Entity({ tableName: 'board' })
@Index({
  name: 'board_text_index',
  expression: 'create index "board_text_index" on "board" using gin ("name" gin_trgm_ops)',
})
@Index({ name: 'board_project_index', properties: ['projectId', 'id'] })
@Index({ name: 'board_project_name_index', properties: ['projectId', 'name', 'id'] })
export class Board extends DatedEntity {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('brd');

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;
}
