import { Entity, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { ID, ObjectType } from 'type-graphql';
import { DatedEntity } from '../../kernel/database/base-entity.js';
import { Column, EnumColumn, IdColumn } from '../../kernel/database/column.js';
import { SqlIndex, TextIndex } from '../../kernel/database/indexes.js';
import { newPrefixedId } from '../../kernel/ids.js';
import { Node } from '../../kernel/node.js';
import { enumType } from '../../kernel/values/enum-type.js';
import { Edge } from '../access/graph/edge.js';
import { GraphNode } from '../access/graph/node.js';
import { Project } from '../access/projects/project.entity.js';
import { Board } from './board.entity.js';
import { TICKET_STATUSES, type TicketStatus } from './ticket-statuses.js';
import { TriageRule } from './triage-rule.entity.js';

export const TicketStatusType = enumType('TicketStatus', TICKET_STATUSES);

@GraphNode<Ticket>({ view: 'plan.board.view', actions: ['plan.ticket.change'] })
@ObjectType({ implements: Node, description: 'Work to do, created by a person or a triage rule.' })
@Entity({ tableName: 'ticket' })
@TextIndex('ticket_text_index', 'ticket', ['title', 'description'])
@Index({ name: 'ticket_project_index', properties: ['projectId', 'id'] })
@Index({ name: 'ticket_title_index', properties: ['projectId', 'title', 'id'] })
@Index({ name: 'ticket_status_index', properties: ['projectId', 'status'] })
@Index({ name: 'ticket_board_status_index', properties: ['boardId', 'status'] })
@Index({ name: 'ticket_created_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({ name: 'ticket_board_index', properties: ['boardId', 'id'] })
@Index({ name: 'ticket_project_updated_index', properties: ['projectId', 'updatedAt', 'id'] })
@Index({ name: 'ticket_board_updated_index', properties: ['boardId', 'updatedAt', 'id'] })
@SqlIndex('ticket_rule_index', '"ticket" ("triage_rule_id", "id") where "triage_rule_id" is not null')
@SqlIndex(
  'ticket_rule_updated_index',
  '"ticket" ("triage_rule_id", "updated_at", "id") where "triage_rule_id" is not null',
)
@SqlIndex('ticket_response_index', '"ticket" ("response_id", "id") where "response_id" is not null')
@Unique({ name: 'ticket_triage_unique', properties: ['triageRuleId', 'responseId'] })
export class Ticket extends DatedEntity {
  [OptionalProps]?: 'status';

  @IdColumn('text')
  id: string = newPrefixedId('tkt');

  @Column('text', { as: () => ID })
  boardId!: string;

  @Edge(() => Board, 'boardId')
  board?: Board;

  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Property({ type: 'uuid' })
  organizationId!: string;

  @Column('text')
  title!: string;

  @Column('text')
  description!: string;

  @EnumColumn(TicketStatusType)
  status: TicketStatus = 'open';

  @Column('text', { as: () => ID, nullable: true, description: 'The rule that created it; null if a person did.' })
  triageRuleId: string | null = null;

  @Edge(() => TriageRule, 'triageRuleId')
  triageRule?: TriageRule;

  @Column('text', { as: () => ID, nullable: true, description: 'The survey response it is about.' })
  responseId: string | null = null;

  @Column('Date')
  updatedAt!: Date;
}
