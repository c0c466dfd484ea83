import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';

const CONDITIONS = ['issue_created', 'issue_regressed', 'event_count'] as const;
export type AlertCondition = (typeof CONDITIONS)[number];

export const AlertConditionType = Object.fromEntries(CONDITIONS.map((condition) => [condition, condition]));
registerEnumType(AlertConditionType, {
  name: 'AlertCondition',
  description: 'A new issue, a regression of a resolved one, or a number of events of one issue within the window.',
});

@GraphNode<AlertRule>({ view: 'catch.alert_rule.view', actions: ['catch.alert_rule.manage'] })
@ObjectType({ implements: Node, description: 'When to emit catch.alert.fired.' })
@Entity({ tableName: 'alert_rule' })
@Index({ name: 'alert_rule_list_index', properties: ['projectId', 'createdAt', 'id'] })
@Index({ name: 'alert_rule_project_index', properties: ['projectId', 'environment'] })
export class AlertRule extends DatedEntity {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('alr');

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => String)
  @Property({ type: 'text' })
  name!: string;

  @Field(() => AlertConditionType)
  @Enum({ items: () => [...CONDITIONS], type: 'text' })
  condition!: AlertCondition;

  @Field(() => Int, { description: 'Number of events that makes event_count fire.' })
  @Property({ type: 'integer' })
  threshold!: number;

  @Field(() => Int, { description: 'Minutes that event_count looks back, and in which it fires once per issue.' })
  @Property({ type: 'integer' })
  windowMinutes!: number;

  @Field(() => Date, { nullable: true })
  @Property({ type: 'Date', nullable: true })
  lastFiredAt: Date | null = null;
}
