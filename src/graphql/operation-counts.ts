import type { Metrics } from '../kernel/metrics.js';

type Way = 'repeated' | 'apollo';
type Executor = 'plan' | 'graphql-js';

/** Counts which path GraphQL operations take, for metrics. */
export class OperationCounts {
  private readonly answers = new Map<Way, number>([
    ['repeated', 0],
    ['apollo', 0],
  ]);
  private readonly executions = new Map<Executor, number>([
    ['plan', 0],
    ['graphql-js', 0],
  ]);

  constructor(metrics: Metrics) {
    metrics.total(
      'graphql_operations_total',
      'GraphQL requests answered by path: repeated, for a known query that skips Apollo and the web framework, or apollo',
      () => this.answers,
      'way',
    );
    metrics.total(
      'graphql_executions_total',
      'GraphQL operations executed by a plan, or by graphql-js',
      () => this.executions,
      'executor',
    );
  }

  answered(way: Way): void {
    this.answers.set(way, (this.answers.get(way) ?? 0) + 1);
  }

  executed(executor: Executor): void {
    this.executions.set(executor, (this.executions.get(executor) ?? 0) + 1);
  }
}
