/** Rows whose UUID version 7 ids were created between two times (milliseconds since 1970, both inclusive). */
export interface NotedSpan {
  dataset: string;
  projectId: string;
  environment: string;
  low: number;
  high: number;
  /** Number of rows, for the backlog metric. */
  amount: number;
}

/** Erased rows; all given conditions must hold. */
export interface NotedErasure {
  dataset: string;
  projectId?: string;
  environment?: string;
  distinctIds?: readonly string[];
  ids?: readonly string[];
  before?: Date;
}

/**
 * A statement without parameters that notes rows for the analytics copy. Run it in the writer's transaction after
 * writing the rows; while no copy is wanted, it costs one read of a single-row table. `spans` must not be empty.
 */
export function noteSpansSql(spans: readonly NotedSpan[]): string {
  const calls = spans.map(
    ({ dataset, projectId, environment, low, high, amount }) =>
      `note_analytics_span('${dataset}','${projectId}','${environment}',${low},${high},${amount})`,
  );
  return `select ${calls.join(',')}`;
}

/**
 * Notes an erasure; run it after the erasure in the same transaction. The parameter is a {@link NotedErasure} as JSON.
 */
export const NOTE_ERASURE = 'select note_analytics_erasure(?::jsonb)';

/** The JSON text for `note_analytics_erasure`. */
export const erasureJson = ({ dataset, projectId, environment, distinctIds, ids, before }: NotedErasure): string =>
  JSON.stringify({ dataset, project_id: projectId, environment, distinct_ids: distinctIds, ids, before });
