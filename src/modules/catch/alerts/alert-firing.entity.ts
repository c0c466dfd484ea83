import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { Edge } from '../../access/graph/edge.js';
import { CrashIssue } from '../issues/crash-issue.entity.js';
import { AlertRule } from './alert-rule.entity.js';

/** A row of the table `alert_firing`, which is only written in SQL. */
@ObjectType({ description: 'The last time that a rule fired for an issue.' })
@Entity({ tableName: 'alert_firing' })
export class AlertFiring {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  ruleId!: string;

  @Edge(() => AlertRule, 'ruleId')
  rule?: AlertRule;

  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  issueId!: string;

  @Edge(() => CrashIssue, 'issueId')
  issue?: CrashIssue;

  @Field(() => Date)
  @Property({ type: 'Date' })
  firedAt!: Date;
}
