import { latestIdTime } from '../../../kernel/ids.js';
import { type NotedSpan, noteSpansSql } from '../../../storage/analytics/analytics-notes.js';
import { EVENT_DATASET } from '../events/event-dataset.js';
import type { IngestRequest } from './ingest-request.js';

/** A statement that notes the rows of these requests, at least one of which has some, for the copy in the analytics store. */
export function noteRowsSql(requests: readonly IngestRequest[]): string {
  const high = latestIdTime();
  const spans = new Map<string, NotedSpan>();
  for (const { tenant, rows, begunAt } of requests) {
    if (rows.count === 0) continue;
    const { projectId, environment } = tenant;
    const key = `${projectId} ${environment}`;
    const span = spans.get(key) ?? { dataset: EVENT_DATASET, projectId, environment, low: begunAt, high, amount: 0 };
    span.low = Math.min(span.low, begunAt);
    span.amount += rows.count;
    spans.set(key, span);
  }
  return noteSpansSql([...spans.values()]);
}
