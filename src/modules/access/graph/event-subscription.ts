import { ArgsType, Extensions, Field, ID, Int, ObjectType, Subscription } from 'type-graphql';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Environment } from '../../../kernel/actor.js';
import type { Action } from '../actions.js';
import { EnvironmentType } from '../environment.js';
import { Edge } from './edge.js';

/** What the library takes as the type of a field. */
type Answers = Parameters<typeof Subscription>[0];

/** Which events a subscription is about, and what the caller must be allowed to do in their project. */
export interface ListensTo {
  /** Stored events of some kinds, or rows that come by the thousand and are reported in samples. */
  readonly to: { readonly kinds: RegExp } | { readonly rows: 'events' | 'deliveries' };
  readonly action: Action;
}

/**
 * A field of `Subscription` that is answered for each stored event of some kinds in a project: the method gets the event as its root,
 * and asks for permission as a query by id would.
 */
export const EventSubscription = (
  answers: Answers,
  { kinds, action, description }: { kinds: RegExp; action: Action; description: string },
): MethodDecorator => listening(answers, { to: { kinds }, action }, description);

/** As {@link EventSubscription}, for rows of a kind: the root is a row, and how many others are not reported. */
export const RowSubscription = (
  answers: Answers,
  { rows, action, description }: { rows: 'events' | 'deliveries'; action: Action; description: string },
): MethodDecorator => listening(answers, { to: { rows }, action }, description);

function listening(answers: Answers, listensTo: ListensTo, description: string): MethodDecorator {
  return (prototype, property, descriptor) => {
    Subscription(answers, { description, nullable: true, subscribe: unconnected })(prototype, property, descriptor);
    Extensions({ listensTo })(prototype, property);
  };
}

/** The schema puts its own in this place. */
function unconnected(): never {
  throw new Error('the subscription is not connected to the feed of events');
}

@ArgsType()
export class ProjectEventsArgs {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, {
    nullable: true,
    description: 'Both unless given; what both share is reported for either.',
  })
  environment?: Environment | null;
}

/** What is reported of rows that come by the thousand: at most twenty a second. */
@ObjectType()
export abstract class SampledFields {
  @Field(() => Int, {
    description: 'Others since the one before that are not reported, because there were more than twenty in a second.',
  })
  leftOut!: number;
}

@ObjectType()
export abstract class ChangeFields {
  @Field(() => ID, { description: 'The entry of the audit log.' })
  eventId!: string;

  @Edge(() => StoredEvent, 'eventId', 'For those who may read the audit log.')
  event?: StoredEvent;

  @Field(() => String, { description: 'What happened, a kind of event such as switch.flag.halted.' })
  kind!: string;

  @Field(() => Date)
  at!: Date;

  @Field(() => ID, { description: 'Of the object that changed, which may be gone since.' })
  objectId!: string;
}

export const changeOf = ({ id, kind, createdAt, objectId }: StoredEvent): ChangeFields => ({
  eventId: id,
  kind,
  at: createdAt,
  objectId,
});
