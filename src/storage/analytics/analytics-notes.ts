/** Rows whose ids, of UUID version 7, were made between two times (milliseconds since 1970, both included). */
export interface NotedSpan {
  dataset: string;
  projectId: string;
  environment: string;
  low: number;
  high: number;
  /** How many rows; for the measure of what waits. */
  amount: number;
}

/** Rows that are gone; every condition that is given must hold. */
export interface NotedErasure {
  dataset: string;
  projectId?: string;
  environment?: string;
  distinctIds?: readonly string[];
  ids?: readonly string[];
  /** Received before this instant. */
  before?: Date;
}

/**
 * A statement without parameters that notes rows for the copy of the analytics data. It belongs in the writer's transaction,
 * after the rows were written, and costs one look at a table of one row while no copy is wanted. `spans` is not empty.
 */
export function noteSpansSql(spans: readonly NotedSpan[]): string {
  const calls = spans.map(
    ({ dataset, projectId, environment, low, high, amount }) =>
      `note_analytics_span('${dataset}','${projectId}','${environment}',${low},${high},${amount})`,
  );
  return `select ${calls.join(',')}`;
}

/** Notes an erasure, after it was done and in its transaction; the parameter is the JSON text of a {@link NotedErasure}. */
export const NOTE_ERASURE = 'select note_analytics_erasure(?::jsonb)';

/** The JSON text that `note_analytics_erasure` takes. */
export const erasureJson = ({ dataset, projectId, environment, distinctIds, ids, before }: NotedErasure): string =>
  JSON.stringify({ dataset, project_id: projectId, environment, distinct_ids: distinctIds, ids, before });
