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

/** Nothing that Apollo would have to add to its own head of an answer. */
const NO_HEAD = { status: undefined, headers: new HeaderMap() };

/**
 * Executes operations, and answers those without errors before Apollo would hand them to a gateway. For that it makes an object with
 * accessors, and V8 keeps the hidden class of each, with all that the accessors see, until the next full collection: the whole request.
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

/** The schema with an executor that hands over what was executed already, so that Apollo masks its errors and finds its status. */
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
