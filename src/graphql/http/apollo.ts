import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { BREAK, type DocumentNode, GraphQLError, type GraphQLSchema, visit } from 'graphql';
import { boundReading } from '../../kernel/database/reading-budget.js';
import type { Logger } from '../../kernel/logger.js';
import type { CostBudget } from '../cost-budget.js';
import { errorFormatter } from '../errors.js';
import type { IntrospectionCosts } from '../introspection-cost.js';
import { checkLimits, LIMITS } from '../limits.js';
import { type GatewayOptions, plannedGateway } from '../plan/planned-gateway.js';
import { answeredRequest } from './answered-request.js';
import { costReport } from './cost-report.js';
import { brokenForms } from './multipart-body.js';
import type { GraphqlOperation } from './operation.js';

const MAX_RECURSIVE_SELECTIONS = 10_000;

export interface ApolloOptions extends GatewayOptions {
  /** Whether callers who are not signed in may read the schema. */
  openIntrospection: boolean;
  /** What tokens may spend, streams included. */
  budget: CostBudget;
  introspection: IntrospectionCosts;
  /** How long the statements of one query may take, in milliseconds. */
  readingMs: number;
}

/** The Apollo server with all limits, CSRF prevention and error masking; start it before use. */
export function createApolloServer(
  schema: GraphQLSchema,
  logger: Logger,
  options: ApolloOptions,
): ApolloServer<GraphqlOperation> {
  return new ApolloServer<GraphqlOperation>({
    gateway: plannedGateway(schema, options),
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    parseOptions: { maxTokens: LIMITS.tokens },
    maxRecursiveSelections: MAX_RECURSIVE_SELECTIONS,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    formatError: errorFormatter(logger, () => answeredRequest.getStore()),
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It would wrap every resolver; the server says `no-store` of all answers anyway.
      ApolloServerPluginCacheControlDisabled(),
      limitsPlugin(options),
      costReport,
      brokenForms,
    ],
  });
}

function limitsPlugin({
  openIntrospection,
  budget,
  introspection,
  readingMs,
}: ApolloOptions): ApolloServerPlugin<GraphqlOperation> {
  return {
    async requestDidStart() {
      return {
        async didResolveOperation({ document, operation, request, contextValue }) {
          if (operation?.operation === 'subscription') {
            throw new GraphQLError('Send subscriptions to /graphql/stream, or with Accept: text/event-stream.', {
              extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
            });
          }
          if (operation) {
            contextValue.cost = checkLimits(document, operation, request.variables ?? {}, introspection);
            budget.spend(contextValue.caller, contextValue.cost);
            if (operation.operation === 'query') boundReading({ bytes: LIMITS.rowBytes, milliseconds: readingMs });
          }
          if (!openIntrospection && contextValue.caller.actor.kind === 'anonymous' && introspects(document)) {
            throw new GraphQLError('Sign in to read the schema.', {
              extensions: { code: 'INTROSPECTION_REFUSED', http: { status: 400 } },
            });
          }
        },
      };
    },
  };
}

function introspects(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Field(node) {
      if (node.name.value === '__schema' || node.name.value === '__type') {
        found = true;
        return BREAK;
      }
      return undefined;
    },
  });
  return found;
}
