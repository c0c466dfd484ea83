import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { EventFeed } from '../events/event-feed.js';
import type { LiveRows } from '../events/live-rows.js';
import type { Environment } from '../kernel/actor.js';
import type { ListensTo } from '../modules/access/graph/event-subscription.js';
import { authorize, authorizeOrganization, userOf } from '../modules/access/guard.js';
import type { GraphqlOperation } from './http/operation.js';

export interface SubscriptionSources {
  readonly feed: EventFeed;
  readonly rows: Readonly<Record<'events' | 'deliveries', LiveRows>>;
}

export interface Awaited {
  /** Starts listening; the returned function stops it. `hear` receives the root value of each result. */
  readonly listen: (sources: SubscriptionSources, hear: (root: object) => void) => () => void;
  /** Checks the caller's permission again; throws if it is gone. */
  readonly permit: (operation: GraphqlOperation) => Promise<void>;
}

/** The operation of a subscription: its resolver declares what it waits for. */
export interface ListeningOperation extends GraphqlOperation {
  listen(awaited: Awaited): AsyncIterable<object>;
}

interface Given {
  projectId?: string | null;
  environment?: Environment | null;
}

/** Connects the fields of `Subscription` to what they declare. */
export function connectSubscriptions(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const listensTo = field.extensions.listensTo as ListensTo | undefined;
    if (!listensTo) throw new Error(`Subscription.${field.name} does not declare what it listens to`);
    field.subscribe = async (_, given: Given, operation: GraphqlOperation) => {
      const awaited = await awaitedOf(listensTo, given, operation);
      if (!('listen' in operation))
        throw new GraphQLError('Send subscriptions to /graphql/stream, or with Accept: text/event-stream.', {
          extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
        });
      return (operation as ListeningOperation).listen(awaited);
    };
  }
}

async function awaitedOf(
  { to, action }: ListensTo,
  { projectId: given, environment = null }: Given,
  operation: GraphqlOperation,
): Promise<Awaited> {
  const projectId = given?.toLowerCase() ?? null;
  const permit = async ({ current }: GraphqlOperation): Promise<void> => {
    if (projectId === null) authorizeOrganization(current, action);
    else await authorize(current, action, projectId);
  };
  await permit(operation);
  const { organizationId } = userOf(operation.current);
  const listen: Awaited['listen'] = ({ feed, rows }, hear) => {
    if ('rows' in to) return rows[to.rows].listen({ projectId: projectId as string, environment }, hear);
    return feed.listen({
      organizationId,
      wants: (kind) => to.kinds.test(kind),
      onEvent: (event) => {
        const isOfOrganization = event.projectId === null && to.ofOrganization?.test(event.kind);
        if (projectId !== null && event.projectId !== projectId && !isOfOrganization) return;
        if (!environment || !event.environment || event.environment === environment) hear(event);
      },
    });
  };
  return { listen, permit };
}
