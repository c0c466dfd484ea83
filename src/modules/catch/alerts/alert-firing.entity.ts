import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { Edge } from '../../access/graph/edge.js';
import { CrashIssue } from '../issues/crash-issue.entity.js';
import { AlertRule } from './alert-rule.entity.js';

/** A row of the table `alert_firing`, which is only written in SQL. */
@ObjectType({ description: 'The last time that a rule fired for an issue.' })
@Entity({ tableName: 'alert_firing' })
export class AlertFiring {
  @IdColumn('text')
  ruleId!: string;

  @Edge(() => AlertRule, 'ruleId')
  rule?: AlertRule;

  @IdColumn('text')
  issueId!: string;

  @Edge(() => CrashIssue, 'issueId')
  issue?: CrashIssue;

  @Column('Date')
  firedAt!: Date;
}
