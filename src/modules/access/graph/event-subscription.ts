import {
  Args,
  ArgsType,
  type ClassType,
  Extensions,
  Field,
  ID,
  Int,
  ObjectType,
  Root,
  Subscription,
} from 'type-graphql';
import type { PacedRow } from '../../../events/paced-rows.js';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { VerbContext } from '../../../kernel/verb-context.js';
import type { Action } from '../actions.js';
import { EnvironmentType } from '../environment.js';
import { ProjectInput } from '../ids.inputs.js';
import { Edge } from './edge.js';

/** A type that the library accepts for a field. */
type Answers = Parameters<typeof Subscription>[0];

/** Which events a subscription is about, and the permission the caller needs in their project. */
export interface ListensTo {
  /** Stored events of some kinds of the project, and of others of its organization, or rows that come by the thousand and are sampled. */
  readonly to:
    | { readonly kinds: RegExp; readonly ofOrganization?: RegExp | undefined }
    | { readonly rows: 'events' | 'deliveries' };
  readonly action: Action;
}

interface Subscribing {
  action: Action;
  description: string;
  /** Its arguments, if it has others than a project and an environment. */
  args?: ClassType;
}

/** For a method that reports an event, or a row and how many others were left out. */
type ReportDecorator<T> = <E extends T, R>(
  prototype: object,
  name: string,
  method: TypedPropertyDescriptor<(reported: E, ctx: Context) => R>,
) => void;

/**
 * A field of `Subscription` that reports each stored event of some kinds in a project: the method checks permission like a query by id.
 */
export const EventSubscription = (
  answers: Answers,
  { kinds, ofOrganization, ...options }: Subscribing & { kinds: RegExp; ofOrganization?: RegExp },
): ReportDecorator<StoredEvent> => reporting(answers, { kinds, ofOrganization }, options);

/** Like {@link EventSubscription}, for rows of a kind. */
export const RowSubscription = (
  answers: Answers,
  { rows, ...options }: Subscribing & { rows: 'events' | 'deliveries' },
): ReportDecorator<PacedRow<object>> => reporting(answers, { rows }, options);

function reporting<T>(
  answers: Answers,
  to: ListensTo['to'],
  { action, description, args = ProjectEventsArgs }: Subscribing,
): ReportDecorator<T> {
  return (prototype, name, method) => {
    Subscription(answers, { description, nullable: true, subscribe: unconnected })(prototype, name, method);
    Extensions({ listensTo: { to, action } satisfies ListensTo })(prototype, name);
    Root()(prototype, name, 0);
    VerbContext()(prototype, name, 1);
    Args(() => args)(prototype, name, 2);
  };
}

/** The schema puts its own in this place. */
function unconnected(): never {
  throw new Error('the subscription is not connected to the event feed');
}

@ArgsType()
class ProjectEventsArgs extends ProjectInput {
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
