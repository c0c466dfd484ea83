import type { Pool } from 'pg';
import type { Metrics } from '../kernel/metrics.js';

/** How many stored events wait for the dispatcher, and how long the oldest has waited. */
export function measureEvents(metrics: Metrics, pool: Pool): void {
  metrics.gauge('events_undispatched', 'Stored events waiting for the dispatcher', async () => {
    const { rows } = await pool.query('select count(*)::int as waiting from event_log where dispatched_at is null');
    return rows[0].waiting;
  });
  metrics.gauge('events_undispatched_oldest_seconds', 'Age of the oldest waiting event', async () => {
    const { rows } = await pool.query(
      'select extract(epoch from now() - min(created_at))::float as age from event_log where dispatched_at is null',
    );
    return Math.max(0, rows[0]?.age ?? 0);
  });
}
