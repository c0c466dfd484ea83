import type { EventLog } from '../../events/event-log.js';
import { insertEvent } from '../../events/insert-event.js';
import { newUuid } from '../../kernel/ids.js';
import { THRESHOLDS } from './limits.js';
import { consume, countingSql, crossesSql, type Metered, type Query } from './metering.js';
import { monthOf } from './month.js';

interface MeteredConnection {
  query<Row extends Record<string, unknown>>(text: string, values: unknown[]): Promise<Row[]>;
}

const CROSSED = THRESHOLDS.map((percent) =>
  crossesSql(percent, { before: 'used - $3', after: 'used', limit: 'most' }),
).join(' or ');

/**
 * Prepares what {@link EventMeter.strictSql} executes: a connection that counts runs it once, because planning the statement costs more
 * than executing it.
 */
export const PREPARE_STRICT_METERING = `prepare meter_events (uuid, date, bigint) as ${countingSql('events')}
  select 1 / (case when used is null or ${CROSSED} then 0 else 1 end)
    from (select (select used from counted) as used, (select most from bounds) as most) as outcome`;

/** Counts ingested events on ingestion's own connections, in the transaction that stores them. */
export class EventMeter {
  constructor(private readonly events: EventLog) {}

  /**
   * One statement of a longer query string, with its values inlined: the project's id is one of our UUIDs, the amount a number. It divides
   * by zero, and so fails the transaction, if the limit would be exceeded or a threshold is crossed; {@link consume} then says which. The
   * connection has run {@link PREPARE_STRICT_METERING}.
   */
  strictSql(projectId: string, amount: number, now: Date): string {
    return `execute meter_events ('${projectId}', '${monthOf(now)}', ${amount})`;
  }

  /** Counts or rejects. The event for a crossed threshold is stored in the same transaction. */
  async consume(
    connection: MeteredConnection,
    project: { projectId: string; organizationId: string },
    amount: number,
    now: Date,
  ): Promise<Metered> {
    const query: Query = async (sql, values) => ({ rows: await connection.query(sql, values) });
    const metered = await consume(query, project.projectId, 'events', amount, now);
    for (const percent of metered.crossed) {
      await insertEvent(
        query,
        { actor: { kind: 'system', name: 'quotas' }, requestId: newUuid(), now },
        'quotas.threshold.reached',
        {
          organizationId: project.organizationId,
          projectId: project.projectId,
          object: { type: 'project', id: project.projectId },
          data: {
            meter: 'events',
            percent,
            current: metered.current,
            limit: metered.limit ?? 0,
            resets_at: metered.resetsAt.toISOString(),
          },
        },
      );
    }
    return metered;
  }

  /** Wakes the dispatcher after a commit that crossed a threshold. */
  announce(projectId: string): void {
    this.events.announce('quotas.threshold.reached', projectId);
  }
}
