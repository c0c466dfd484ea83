import type { ApolloServerOptionsWithGateway } from '@apollo/server';
import { type ExecutionResult, execute, type GraphQLSchema, type OperationDefinitionNode } from 'graphql';
import { inSpan, type Tracer } from '../../kernel/tracing/tracer.js';
import type { GraphqlOperation } from '../http/operation.js';
import { runPlan } from './plan-run.js';
import { planQuery, type QueryPlan } from './query-plan.js';

type Gateway = ApolloServerOptionsWithGateway<GraphqlOperation>['gateway'];
type Executor = NonNullable<Awaited<ReturnType<Gateway['load']>>['executor']>;
type Asked = Parameters<Executor>[0];

/** Bounds of what is kept: neither many queries nor large ones can fill the memory. */
const MOST_PLANS = 64;
export const LONGEST_PLANNED_QUERY = 4_096;

export interface GatewayOptions {
  /** Whether queries run by plans; otherwise graphql-js executes all of them, with the same answers. */
  plans: boolean;
  /** Undefined when operations are not traced. */
  tracer: Tracer | undefined;
}

/**
 * The schema with an executor that plans queries, for Apollo's `gateway` option, which is its only way to take another
 * executor: parsing, validation, limits and error masking stay in front of it.
 */
export function plannedGateway(schema: GraphQLSchema, { plans, tracer }: GatewayOptions): Gateway {
  return {
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: '' });
      return () => undefined;
    },
    load: async () => {
      const executor = executorOf(schema, plans ? new QueryPlans(schema) : null);
      return { executor: tracer ? tracedExecutor(executor, tracer) : executor };
    },
    stop: async () => undefined,
  };
}

/** Each operation in a span that names its kind and, as graphql's conventions have it, itself. */
function tracedExecutor(executor: Executor, tracer: Tracer): Executor {
  return (asked) => {
    const type = asked.operation.operation;
    const name = asked.operationName ?? asked.operation.name?.value;
    const attributes = { 'graphql.operation.type': type, ...(name ? { 'graphql.operation.name': name } : {}) };
    return inSpan(tracer, 'internal', name ? `${type} ${name}` : type, attributes, () => executor(asked));
  };
}

/** Runs queries by plans once they were seen before, and all else by graphql-js. */
function executorOf(schema: GraphQLSchema, plans: QueryPlans | null): Executor {
  return async (asked) => {
    const plan = plans?.planFor(asked);
    if (plan) return runPlan(plan, asked.context, asked.request.variables ?? {});
    const result = execute({
      schema,
      document: asked.document,
      contextValue: asked.context,
      variableValues: asked.request.variables,
      operationName: asked.request.operationName,
    });
    return result as Promise<ExecutionResult<Record<string, unknown>, Record<string, unknown>>>;
  };
}

/** Plans by operation; Apollo keeps the parsed documents of recent queries, so an operation seen again is the same object. */
class QueryPlans {
  private readonly seen = new WeakSet<OperationDefinitionNode>();
  /** Least recently used first; null for what cannot be planned. */
  private readonly plans = new Map<OperationDefinitionNode, QueryPlan | null>();

  constructor(private readonly schema: GraphQLSchema) {}

  planFor({ document, operation, source }: Asked): QueryPlan | null {
    // The type says otherwise, but a document of several operations may come without the name of one.
    if (!operation || source.length > LONGEST_PLANNED_QUERY) return null;
    let plan = this.plans.get(operation);
    if (plan === undefined) {
      if (!this.seen.has(operation)) {
        this.seen.add(operation);
        return null;
      }
      plan = planQuery(this.schema, document, operation);
    } else this.plans.delete(operation);
    this.plans.set(operation, plan);
    if (this.plans.size > MOST_PLANS) this.plans.delete(this.plans.keys().next().value as OperationDefinitionNode);
    return plan;
  }
}
