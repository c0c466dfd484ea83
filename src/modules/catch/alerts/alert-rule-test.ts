import { Field, ID, ObjectType } from 'type-graphql';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import { Edge } from '../../access/graph/edge.js';
import { AlertRule } from './alert-rule.entity.js';

@ObjectType()
export class AlertRuleTest {
  @Field(() => AlertRule)
  rule!: AlertRule;

  @Field(() => ID, { description: 'The webhook-id of its deliveries.' })
  eventId!: string;

  @Edge(() => StoredEvent, 'eventId')
  event?: StoredEvent;
}
