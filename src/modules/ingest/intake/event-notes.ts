import type { ProjectEnvironment } from '../../../kernel/actor.js';
import { type NotedSpan, noteSpansSql } from '../../../storage/analytics/analytics-notes.js';
import type { EventRows } from '../copy/copy-binary.js';
import { EVENT_DATASET } from '../events/event-dataset.js';

interface RequestRows {
  readonly tenant: ProjectEnvironment;
  readonly rows: Pick<EventRows, 'count' | 'idsFrom' | 'idsTo'>;
}

/** A statement that notes the rows of these requests, at least one of which has some, for the copy in the analytics store. */
export function noteRowsSql(requests: readonly RequestRows[]): string {
  const spans = new Map<string, NotedSpan>();
  for (const { tenant, rows } of requests) {
    if (rows.count === 0) continue;
    const { projectId, environment } = tenant;
    const key = `${projectId} ${environment}`;
    const known = { dataset: EVENT_DATASET, projectId, environment, low: rows.idsFrom, high: rows.idsTo, amount: 0 };
    const span = spans.get(key) ?? known;
    span.low = Math.min(span.low, rows.idsFrom);
    span.high = Math.max(span.high, rows.idsTo);
    span.amount += rows.count;
    spans.set(key, span);
  }
  return noteSpansSql([...spans.values()]);
}
