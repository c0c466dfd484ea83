import type { Pool } from 'pg';
import type { Metrics } from '../../../kernel/metrics.js';
import type { EndedAttempt } from './delivery-records.js';

/** What is waiting, how long the most overdue has waited, and what died; the returned function counts attempts by outcome. */
export function measureDeliveries(metrics: Metrics, pool: Pool): (ended: readonly EndedAttempt[]) => void {
  const one = async (sql: string): Promise<number> => {
    const { rows } = await pool.query<{ value: number | null }>(sql);
    return Math.max(0, rows[0]?.value ?? 0);
  };
  metrics.gauge('webhook_deliveries_waiting', 'Deliveries that are due or will be retried', () =>
    one('select count(*)::int as value from webhook_queue'),
  );
  metrics.gauge('webhook_deliveries_oldest_due_seconds', 'How long the most overdue delivery has been waiting', () =>
    one('select extract(epoch from now() - min(due_at))::float as value from webhook_queue'),
  );
  metrics.gauge('webhook_dead_letters', 'Abandoned deliveries that can be replayed', () =>
    one('select count(*)::int as value from webhook_dead_letter'),
  );
  const attempts = metrics.counter('webhook_attempts_total', 'Delivery attempts', ['outcome']);
  return (ended) => {
    for (const { verdict } of ended) attempts({ outcome: verdict.kind });
  };
}
