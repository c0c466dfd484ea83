import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../kernel/database/column.js';
import { TextIndex } from '../../kernel/database/indexes.js';
import { newPrefixedId } from '../../kernel/ids.js';
import { Node } from '../../kernel/node.js';
import { GraphNode } from '../access/graph/node.js';
import { ProjectEntity } from '../access/projects/project-entities.js';

@GraphNode<Board>({ view: 'plan.board.view', actions: ['plan.board.change', 'plan.ticket.change'] })
@ObjectType({ implements: Node, description: 'A board with tickets.' })
@Entity({ tableName: 'board' })
@TextIndex('board_text_index', 'board', ['name'])
@Index({ name: 'board_project_index', properties: ['projectId', 'id'] })
@Index({ name: 'board_project_name_index', properties: ['projectId', 'name', 'id'] })
export class Board extends ProjectEntity {
  @IdColumn('text')
  id: string = newPrefixedId('brd');

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Column('text')
  name!: string;
}
