import { ArgsType, Extensions, Field, ID, Int, ObjectType, Subscription } from 'type-graphql';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Environment } from '../../../kernel/actor.js';
import type { Action } from '../actions.js';
import { EnvironmentType } from '../environment.js';
import { ProjectInput } from '../ids.inputs.js';
import { Edge } from './edge.js';

/** A type that the library accepts for a field. */
type Answers = Parameters<typeof Subscription>[0];

/** Which events a subscription is about, and the permission the caller needs in their project. */
export interface ListensTo {
  /** Stored events of some kinds, or rows that come by the thousand and are sampled. */
  readonly to: { readonly kinds: RegExp } | { readonly rows: 'events' | 'deliveries' };
  readonly action: Action;
}

/**
 * A field of `Subscription` that reports each stored event of some kinds in a project: the method receives the event as its root, and
 * checks permission like a query by id.
 */
export const EventSubscription = (
  answers: Answers,
  { kinds, action, description }: { kinds: RegExp; action: Action; description: string },
): MethodDecorator => listening(answers, { to: { kinds }, action }, description);

/** Like {@link EventSubscription}, for rows of a kind: the root is a row, and the number of others left out. */
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
  throw new Error('the subscription is not connected to the event feed');
}

@ArgsType()
export class ProjectEventsArgs extends ProjectInput {
  @Field(() => EnvironmentType, {
    nullable: true,
    description: 'Defaults to both; changes to objects shared by both are reported either way.',
  })
  environment?: Environment | null;
}

/** A report about rows that come by the thousand: at most twenty per second. */
@ObjectType()
export abstract class SampledFields {
  @Field(() => Int, {
    description:
      'How many others were left out since the previous one, because there were more than twenty in a second.',
  })
  leftOut!: number;
}

@ObjectType()
export abstract class ChangeFields {
  @Field(() => ID, { description: 'The audit log entry.' })
  eventId!: string;

  @Edge(() => StoredEvent, 'eventId', 'Only for callers who may read the audit log.')
  event?: StoredEvent;

  @Field(() => String, { description: 'The kind of event, such as switch.flag.halted.' })
  kind!: string;

  @Field(() => Date)
  at!: Date;

  @Field(() => ID, { description: 'The id of the changed object, which may no longer exist.' })
  objectId!: string;
}

export const changeOf = ({ id, kind, createdAt, objectId }: StoredEvent): ChangeFields => ({
  eventId: id,
  kind,
  at: createdAt,
  objectId,
});
