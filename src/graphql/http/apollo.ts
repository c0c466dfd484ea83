import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestListener } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import type { GraphQLSchema } from 'graphql';
import type { Logger } from '../../kernel/logger.js';
import { errorFormatter } from '../errors.js';
import { LIMITS } from '../limits.js';
import type { Executor } from '../plan/planned-executor.js';
import type { Admission } from './admission.js';
import { answeredRequestId } from './answered-request-id.js';
import { answersWithoutErrors, failedAnswers } from './apollo-executor.js';
import { costReport } from './cost-report.js';
import { brokenForms } from './multipart-body.js';
import type { GraphqlOperation } from './operation.js';

const MAX_RECURSIVE_SELECTIONS = 10_000;

/** The Apollo server with all limits, CSRF prevention and error masking. Start it before use. */
export function createApolloServer(
  schema: GraphQLSchema,
  logger: Logger,
  admission: Admission,
  executor: Executor,
): ApolloServer<GraphqlOperation> {
  return new ApolloServer<GraphqlOperation>({
    gateway: failedAnswers(schema),
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: LIMITS.tokens },
    maxRecursiveSelections: MAX_RECURSIVE_SELECTIONS,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: errorFormatter(logger, () => answeredRequestId.getStore()),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It would wrap every resolver, and the server sends `no-store` with every response anyway.
      ApolloServerPluginCacheControlDisabled(),
      admittedBy(admission),
      answersWithoutErrors(executor),
      costReport,
      brokenForms,
    ],
  });
}

function admittedBy(admission: Admission): ApolloServerPlugin<GraphqlOperation> {
  const listener: GraphQLRequestListener<GraphqlOperation> = {
    async didResolveOperation({ document, operation, request, contextValue }) {
      if (operation) admission.admit(contextValue, document, operation, request.variables ?? {});
    },
  };
  return { requestDidStart: async () => listener };
}
