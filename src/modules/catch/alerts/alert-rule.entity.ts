import { Entity, Index, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { GraphNode } from '../../access/graph/node.js';
import { EnvironmentEntity } from '../../access/projects/project-entities.js';

const CONDITIONS = ['issue_created', 'issue_regressed', 'event_count'] as const;
export type AlertCondition = (typeof CONDITIONS)[number];

export const AlertConditionType = enumType('AlertCondition', CONDITIONS, {
  description: 'A new issue, a regression of a resolved one, or a number of events of one issue within the window.',
});

@GraphNode<AlertRule>({ view: 'catch.alert_rule.view', actions: ['catch.alert_rule.manage'] })
@ObjectType({ implements: Node, description: 'When to emit catch.alert.fired.' })
@Entity({ tableName: 'alert_rule' })
@Index({ name: 'alert_rule_list_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({ name: 'alert_rule_project_index', properties: ['projectId', 'environment'] })
export class AlertRule extends EnvironmentEntity {
  @IdColumn('text')
  id: string = newPrefixedId('alr');

  @Column('text')
  name!: string;

  @EnumColumn(AlertConditionType)
  condition!: AlertCondition;

  @Column('integer', { description: 'Number of events that makes event_count fire.' })
  threshold!: number;

  @Column('integer', { description: 'Minutes that event_count looks back, and in which it fires once per issue.' })
  windowMinutes!: number;

  @Field(() => Boolean, { name: 'enabled', description: 'A disabled rule does not fire; its firings so far stay.' })
  @Property({ type: 'boolean', default: true })
  isEnabled: boolean = true;

  @Column('Date', { nullable: true })
  lastFiredAt: Date | null = null;
}
