import { GraphQLError, type GraphQLSchema } from 'graphql';
import type { StoredEvent } from '../events/stored-event.entity.js';
import type { Environment } from '../kernel/actor.js';
import type { ListensTo } from '../modules/access/graph/event-subscription.js';
import { authorize, authorizeOrganization, userOf } from '../modules/access/guard.js';
import type { GraphqlOperation } from './http/operation.js';

/** What a subscription waits for. */
export interface AwaitedEvents {
  readonly organizationId: string;
  readonly matches: (kind: string) => boolean;
  readonly concerns: (event: StoredEvent) => boolean;
  /** Asks once more whether the caller may have them; fails when not. */
  readonly permit: (operation: GraphqlOperation) => Promise<void>;
}

/** The operation of a subscription: its resolver says what it waits for. */
export interface ListeningOperation extends GraphqlOperation {
  listen(awaited: AwaitedEvents): AsyncIterable<StoredEvent>;
}

interface Given {
  projectId?: string | null;
  environment?: Environment | null;
}

/** Connects the fields of `Subscription` to the stored events that they declare. */
export function connectSubscriptions(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {})) {
    const listensTo = field.extensions.listensTo as ListensTo | undefined;
    if (!listensTo) throw new Error(`Subscription.${field.name} does not say to what it listens`);
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
  { kinds, action }: ListensTo,
  { projectId: given, environment }: Given,
  operation: GraphqlOperation,
): Promise<AwaitedEvents> {
  const projectId = given?.toLowerCase() ?? null;
  const permit = async ({ current }: GraphqlOperation): Promise<void> => {
    if (projectId === null) authorizeOrganization(current, action);
    else await authorize(current, action, projectId);
  };
  await permit(operation);
  return {
    organizationId: userOf(operation.current).organizationId,
    matches: (kind) => kinds.test(kind),
    concerns: (event) =>
      (projectId === null || event.projectId === projectId) && (!environment || event.environment === environment),
    permit,
  };
}
