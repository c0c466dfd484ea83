import {
  type ApolloServerOptionsWithGateway,
  type ApolloServerPlugin,
  type GraphQLRequestListener,
  HeaderMap,
} from '@apollo/server';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { type Executor, LONGEST_PLANNED_QUERY } from '../plan/planned-executor.js';
import { introspects } from './admission.js';
import type { GraphqlOperation } from './operation.js';

type Gateway = ApolloServerOptionsWithGateway<GraphqlOperation>['gateway'];
type GatewayResult = ExecutionResult<Record<string, unknown>, Record<string, unknown>>;

/** Stands for "no headers for Apollo to add". */
const NO_HEAD = { status: undefined, headers: new HeaderMap() };

/**
 * Executes operations, and sends answers without errors before Apollo hands them to a gateway. For the gateway Apollo creates an object
 * with accessors, and V8 keeps its hidden class, and everything the accessors see (the whole request), until the next full collection.
 */
export function answersWithoutErrors(executor: Executor): ApolloServerPlugin<GraphqlOperation> {
  const listener: GraphQLRequestListener<GraphqlOperation> = {
    async responseForOperation({ document, operation, source, request, contextValue }) {
      const { operationName, variables } = request;
      const { progress } = contextValue;
      progress.executed ??= executor.execute({
        document,
        operation,
        operationName,
        source,
        variables,
        context: contextValue,
      });
      const result = await progress.executed.catch(() => null);
      if (!result || result.errors) return null;
      if (operation.operation === 'query' && source.length <= LONGEST_PLANNED_QUERY && !introspects(document))
        progress.repeatable = { document, operation };
      return { http: NO_HEAD, body: { kind: 'single', singleResult: { data: result.data ?? null } } };
    },
  };
  return { requestDidStart: async () => listener };
}

/** The schema with an executor that returns what has already been executed, so that Apollo masks the errors and picks the status. */
export function failedAnswers(schema: GraphQLSchema): Gateway {
  return {
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: async () => ({ executor: async ({ context }) => context.progress.executed as Promise<GatewayResult> }),
    stop: async () => undefined,
  };
}
