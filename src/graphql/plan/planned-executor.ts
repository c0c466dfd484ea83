import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { inSpan, type Tracer } from '../../kernel/tracing/tracer.js';
import type { OperationCounts } from '../operation-counts.js';
import { runPlan, type WrittenResult, writePlan } from './plan-run.js';
import { planQuery, type QueryPlan } from './query-plan.js';

export interface ExecutedOperation {
  readonly document: DocumentNode;
  /** Undefined when a document with several operations comes without an operation name. */
  readonly operation: OperationDefinitionNode | undefined;
  readonly operationName: string | undefined;
  readonly source: string;
  readonly context: unknown;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

export interface Executor {
  execute(request: ExecutedOperation): Promise<ExecutionResult>;
  /** Like `execute`, with the text that `JSON.stringify` would make of the data. */
  write(request: ExecutedOperation): Promise<WrittenResult>;
}

/** Cache limits, so that neither many queries nor large ones can fill the memory. */
const MOST_PLANS = 64;
export const LONGEST_PLANNED_QUERY = 4_096;

export interface ExecutorOptions {
  /** Whether queries run as plans; otherwise graphql-js executes all of them, with the same results. */
  plans: boolean;
  tracer: Tracer | undefined;
  counts?: OperationCounts;
}

/** Executes operations of a schema: queries as plans once they have been seen before, everything else with graphql-js. */
export function plannedExecutor(schema: GraphQLSchema, { plans, tracer, counts }: ExecutorOptions): Executor {
  const executor = new PlannedExecutor(schema, plans ? new QueryPlans(schema) : null, counts);
  return tracer ? tracedExecutor(executor, tracer) : executor;
}

class PlannedExecutor implements Executor {
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly plans: QueryPlans | null,
    private readonly counts: OperationCounts | undefined,
  ) {}

  async execute(request: ExecutedOperation): Promise<ExecutionResult> {
    const plan = this.planFor(request);
    if (!plan) return this.executeOnce(request);
    return runPlan(plan, request.context, request.variables ?? {});
  }

  async write(request: ExecutedOperation): Promise<WrittenResult> {
    const plan = this.planFor(request);
    if (plan) return writePlan(plan, request.context, request.variables ?? {});
    const { data, ...result } = await this.executeOnce(request);
    return data === undefined ? result : { ...result, data: JSON.stringify(data) };
  }

  private planFor(request: ExecutedOperation): QueryPlan | null {
    const plan = this.plans?.planFor(request) ?? null;
    this.counts?.executed(plan ? 'plan' : 'graphql-js');
    return plan;
  }

  private async executeOnce({
    document,
    context,
    variables,
    operationName,
  }: ExecutedOperation): Promise<ExecutionResult> {
    const { schema } = this;
    return execute({ schema, document, contextValue: context, variableValues: variables, operationName });
  }
}

/** Each operation gets a span named for its kind and, following GraphQL conventions, for itself. */
function tracedExecutor(executor: Executor, tracer: Tracer): Executor {
  const traced = <T>(request: ExecutedOperation, run: () => Promise<T>): Promise<T> => {
    const type = request.operation?.operation ?? 'query';
    const name = request.operationName ?? request.operation?.name?.value;
    const attributes = { 'graphql.operation.type': type, ...(name ? { 'graphql.operation.name': name } : {}) };
    return inSpan(tracer, 'internal', name ? `${type} ${name}` : type, attributes, run);
  };
  return {
    execute: (request) => traced(request, () => executor.execute(request)),
    write: (request) => traced(request, () => executor.write(request)),
  };
}

/** Plans by operation. Apollo caches the parsed documents of recent queries, so a repeated operation is the same object. */
class QueryPlans {
  private readonly seen = new WeakSet<OperationDefinitionNode>();
  private readonly plans = new LRUCache<OperationDefinitionNode, QueryPlan | 'unplannable'>({ max: MOST_PLANS });

  constructor(private readonly schema: GraphQLSchema) {}

  planFor({ document, operation, source }: ExecutedOperation): QueryPlan | null {
    if (!operation || source.length > LONGEST_PLANNED_QUERY) return null;
    let plan = this.plans.get(operation);
    if (plan === undefined) {
      if (!this.seen.has(operation)) {
        this.seen.add(operation);
        return null;
      }
      plan = planQuery(this.schema, document, operation) ?? 'unplannable';
      this.plans.set(operation, plan);
    }
    return plan === 'unplannable' ? null : plan;
  }
}
