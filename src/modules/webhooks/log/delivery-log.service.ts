import type { Context } from '../../../kernel/context.js';
import { commonFailure } from '../../../kernel/errors.js';
import { isUuid } from '../../../kernel/ids.js';
import { decodeCursor, encodeCursor, type Page, type PageArgs, pageOf, totalOf } from '../../../kernel/paging.js';
import { authorize } from '../../access/guard.js';
import type { DeliveryStatus, WebhookAttempt, WebhookDelivery } from '../webhooks.results.js';

export interface DeliveryFilter {
  projectId: string;
  subscriptionId?: string | null;
  status?: DeliveryStatus | null;
  kind?: string | null;
}

/** Names one delivery in the attempt log. */
export interface DeliveryKey {
  subscriptionId: string;
  id: string;
}

interface DeliveryRow {
  id: string;
  subscription_id: string;
  event_id: string;
  kind: string;
  status: DeliveryStatus;
  attempts: number;
  next_attempt_at: Date | null;
  created_at: Date | null;
  ended_at: Date | null;
}

/** A delivery is where it is: in the queue, among the dead letters, or closed by a successful attempt. */
const PLACES: Record<DeliveryStatus, string> = {
  pending: `select id, subscription_id, event_id, kind, 'pending' as status, attempts, due_at as next_attempt_at, created_at,
                   null::timestamptz as ended_at
              from webhook_queue where subscription_id = s.id`,
  dead: `select id, subscription_id, event_id, kind, 'dead', attempts, null::timestamptz, created_at, died_at
           from webhook_dead_letter where subscription_id = s.id`,
  delivered: `select delivery_id, subscription_id, event_id, kind, 'delivered', number, null::timestamptz, null::timestamptz, at
                from webhook_attempt where subscription_id = s.id and outcome = 'delivered'`,
};

const MOST_COUNTED = 10_000;

/** What was delivered, what waits and what died, with every attempt. */
export class DeliveryLogService {
  /** Newest first. */
  async list(ctx: Context, filter: DeliveryFilter, page: PageArgs): Promise<Page<WebhookDelivery>> {
    const project = await authorize(ctx, 'webhook.view', filter.projectId);
    const [after] = page.after ? decodeCursor(page.after, 1) : [null];
    if (after !== null && !isUuid(after)) throw commonFailure('invalid_cursor');
    const places = Object.entries(PLACES).filter(([status]) => !filter.status || filter.status === status);
    const params: unknown[] = [];
    const sources = places.map(([status, sql]) => {
      const id = status === 'delivered' ? 'delivery_id' : 'id';
      const conditions = [sql];
      if (after !== null) {
        conditions.push(`and ${id} < ?::uuid`);
        params.push(after);
      }
      if (filter.kind) {
        conditions.push('and kind = ?');
        params.push(filter.kind);
      }
      params.push(page.first + 1);
      return `(${conditions.join(' ')} order by ${id} desc limit ?)`;
    });
    const rows = await ctx.em.execute<DeliveryRow[]>(
      `select distinct on (d.id) d.* from webhook_subscription s cross join lateral (${sources.join(' union all ')})
          d(id, subscription_id, event_id, kind, status, attempts, next_attempt_at, created_at, ended_at)
        where s.project_id = ? ${typeof filter.subscriptionId === 'string' ? 'and s.id = ?' : ''} order by d.id desc, d.ended_at desc limit ?`,
      [
        ...params,
        project.id,
        ...(typeof filter.subscriptionId === 'string' ? [filter.subscriptionId] : []),
        page.first + 1,
      ],
    );
    const count = async () => {
      const counted = places
        .map(([, sql]) => `(${sql}${filter.kind ? ' and kind = ?' : ''} limit ?)`)
        .join(' union all ');
      const [row] = await ctx.em.execute<{ count: string }[]>(
        `select count(*) from webhook_subscription s cross join lateral (${counted}) d
          where s.project_id = ? ${typeof filter.subscriptionId === 'string' ? 'and s.id = ?' : ''}`,
        [
          ...places.flatMap(() => [...(filter.kind ? [filter.kind] : []), MOST_COUNTED + 1]),
          project.id,
          ...(typeof filter.subscriptionId === 'string' ? [filter.subscriptionId] : []),
        ],
      );
      return totalOf(Number(row?.count), MOST_COUNTED);
    };
    return pageOf(rows.map(present), page.first, ({ id }) => encodeCursor([id]), count, page.after);
  }

  /** The attempts of deliveries that the caller has been shown, in order, a list for each. */
  async attempts(ctx: Context, deliveries: readonly DeliveryKey[]): Promise<WebhookAttempt[][]> {
    const rows = await ctx.em.execute<AttemptRow[]>(
      `select a.delivery_id, a.number, a.at, a.status, a.failure, a.latency_ms, a.answer
         from unnest(array[?]::text[], array[?]::uuid[]) as d(subscription_id, id)
         join webhook_attempt a on a.subscription_id = d.subscription_id and a.delivery_id = d.id
        order by a.number, a.at`,
      [deliveries.map(({ subscriptionId }) => subscriptionId), deliveries.map(({ id }) => id)],
    );
    const byDelivery = Map.groupBy(rows, (row) => row.delivery_id);
    return deliveries.map(({ id }) => (byDelivery.get(id) ?? []).map(presentAttempt));
  }
}

interface AttemptRow {
  delivery_id: string;
  number: number;
  at: Date;
  status: number | null;
  failure: string | null;
  latency_ms: number;
  answer: string;
}

const presentAttempt = ({ number, at, status, failure, latency_ms, answer }: AttemptRow): WebhookAttempt => ({
  number,
  at: new Date(at),
  status,
  failure,
  latencyMs: latency_ms,
  answer,
});

const present = (row: DeliveryRow): WebhookDelivery => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  eventId: row.event_id,
  kind: row.kind,
  status: row.status,
  attempts: row.attempts,
  nextAttemptAt: row.next_attempt_at && new Date(row.next_attempt_at),
  createdAt: row.created_at ? new Date(row.created_at) : timeOfUuid(row.id),
  endedAt: row.ended_at && new Date(row.ended_at),
});

/** The milliseconds that a UUID version 7 begins with (RFC 9562, 5.7). */
const timeOfUuid = (id: string): Date => new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16));
