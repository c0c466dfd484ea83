import { ArgsType, Field, ID } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { ExactTextFilter, IdFilter, InstantFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { EnvironmentType } from '../../access/environment.js';
import { AnalyticsEvent } from './analytics-event.js';

/** What events can be filtered by: their fields, and the person behind their id. */
class RequestedEvent extends AnalyticsEvent {
  personId!: string;
}

export interface EventFilter {
  eventName?: ExactTextFilter | null;
  distinctId?: ExactTextFilter | null;
  personId?: IdFilter | null;
  receivedAt?: InstantFilter | null;
}

/** As the arguments describe it; events aren't in a table of the ORM and are read by their own statement. */
export const EVENTS = listOf(RequestedEvent, {
  name: AnalyticsEvent.name,
  owner: 'projectId',
  // Ids sort by receipt.
  orders: { receivedAt: ['id'] },
  usualOrder: { field: 'receivedAt', direction: 'desc' },
  filters: { eventName: ExactTextFilter, distinctId: ExactTextFilter, personId: IdFilter, receivedAt: InstantFilter },
  mostCounted: 10_000,
});

export const EventPageArgs = listArgs(EVENTS);

@ArgsType()
export class EventListArgs extends EventPageArgs {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => String, { nullable: true, deprecationReason: 'Use `filter: { eventName: { eq } }`.' })
  eventName?: string | null;

  @Field(() => String, { nullable: true, deprecationReason: 'Use `filter: { distinctId: { eq } }`.' })
  distinctId?: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Events of all ids of this person.',
    deprecationReason: 'Use `filter: { personId: { eq } }`.',
  })
  personId?: string | null;

  @Field(() => Date, { nullable: true, deprecationReason: 'Use `filter: { receivedAt: { from } }`.' })
  receivedFrom?: Date | null;

  @Field(() => Date, {
    nullable: true,
    deprecationReason: 'Use `filter: { receivedAt: { to } }`, which includes its instant.',
  })
  receivedBefore?: Date | null;
}
