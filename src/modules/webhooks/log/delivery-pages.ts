import type { EntityManager } from '@mikro-orm/postgresql';
import { isUuid, timeOfUuid } from '../../../kernel/ids.js';
import { bothWaysPage, cursorOfId, idInCursor, type Page, totalOf } from '../../../kernel/paging.js';
import type { DeliveryStatus, WebhookDelivery } from '../webhooks.results.js';
import { type DeliveryQuestion, isImpossible, orderOf } from './delivery-question.js';

interface DeliveryRow extends Omit<WebhookDelivery, 'createdAt'> {
  owner?: string;
  createdAt: Date | null;
}

interface Place {
  idColumn: string;
  /** The rows, of all subscriptions. */
  sql: string;
  /** Whether its rows can also be found in the order of their subscriptions, if one is requested; see `sourcesOf`. */
  byOwner?: true;
}

/** This many rows of each place, in this order if one is given. */
interface Slice {
  direction?: 'asc' | 'desc';
  limit: number;
}

/** Where a delivery is: in the queue, among the dead letters, or closed by a successful attempt. */
const PLACES: Record<DeliveryStatus, Place> = {
  pending: {
    idColumn: 'id',
    sql: `select id, subscription_id, event_id, kind, 'pending', attempts, due_at, created_at, null::timestamptz
            from webhook_queue where true`,
  },
  dead: {
    idColumn: 'id',
    sql: `select id, subscription_id, event_id, kind, 'dead', attempts, null::timestamptz, created_at, died_at
            from webhook_dead_letter where true`,
    byOwner: true,
  },
  delivered: {
    idColumn: 'delivery_id',
    sql: `select delivery_id, subscription_id, event_id, kind, 'delivered', number, null::timestamptz, null::timestamptz, at
            from webhook_attempt where outcome = 'delivered'`,
  },
};

const COLUMNS = 'id, "subscriptionId", "eventId", kind, status, attempts, "nextAttemptAt", "createdAt", "endedAt"';

const MOST_COUNTED = 10_000;

type Fragment = [sql: string, params: readonly unknown[]];

/**
 * A page of deliveries for each owner, in their order, in one statement; another one counts them on request. Fails with `invalid_cursor`.
 */
export async function readDeliveryPages(
  em: EntityManager,
  owners: readonly string[],
  question: DeliveryQuestion,
): Promise<Page<WebhookDelivery>[]> {
  const size = question.last ?? question.first;
  const isAscending = question.direction === 'asc';
  const direction = isAscending === (typeof question.last === 'number') ? 'desc' : 'asc';
  const order = orderOf(question);
  const cursorOf = cursorOfId(order);
  const bounds = (['after', 'before'] as const).flatMap((field): Fragment[] => {
    const id = idInCursor(question, field, order);
    const operator = isAscending === (field === 'after') ? '>' : '<';
    return id === null ? [] : [[`{id} ${operator} ?::uuid`, [id]]];
  });
  const [sources, values] = sourcesOf(question, bounds, { direction, limit: size + 1 });
  const [condition, more] = ownerOf(question);
  const none = async () => totalOf(0, MOST_COUNTED);
  if (isImpossible(question)) return owners.map(() => bothWaysPage<WebhookDelivery>([], question, cursorOf, none));
  const rows = await em.execute<DeliveryRow[]>(
    `select o.id as owner, d.* from unnest(array[?]::text[]) o(id) cross join lateral (
       select distinct on (d.id) s.project_id as "projectId", d.* from webhook_subscription s cross join lateral (${sources}) d(${COLUMNS})
        where ${condition} order by d.id ${direction}, d."endedAt" desc limit ?) d`,
    [[...owners], ...values, ...more, size + 1],
  );
  const found = Map.groupBy(rows, ({ owner }) => owner);
  let counts: Promise<Map<string, number>> | undefined;
  const countOf = async (owner: string) => {
    counts ??= countDeliveries(em, owners, question);
    return totalOf((await counts).get(owner) ?? 0, MOST_COUNTED);
  };
  return owners.map((owner) => {
    const nodes = (found.get(owner) ?? []).map(present);
    return bothWaysPage(nodes, question, cursorOf, () => countOf(owner));
  });
}

export function findDeliveries(
  em: EntityManager,
  organizationId: string,
  ids: readonly string[],
): Promise<Map<string, WebhookDelivery>> {
  return deliveriesOf(
    em,
    ids,
    's.project_id in (select p.id from project p where p.organization_id = ?)',
    organizationId,
  );
}

/** The existing deliveries with these ids in a project, in their order. */
export async function readDeliveries(
  em: EntityManager,
  projectId: string,
  ids: readonly string[],
): Promise<WebhookDelivery[]> {
  const byId = await deliveriesOf(em, ids, 's.project_id = ?', projectId);
  return ids.flatMap((id) => byId.get(id) ?? []);
}

async function deliveriesOf(
  em: EntityManager,
  ids: readonly string[],
  condition: string,
  value: string,
): Promise<Map<string, WebhookDelivery>> {
  const [sources, values] = sourcesOf(ANY, [['{id} = any(array[?]::uuid[])', [ids.filter(isUuid)]]]);
  const rows = await em.execute<DeliveryRow[]>(
    `select distinct on (d.id) s.project_id as "projectId", d.* from webhook_subscription s cross join lateral (${sources}) d(${COLUMNS})
      where ${condition} order by d.id, d."endedAt" desc`,
    [...values, value],
  );
  return new Map(rows.map((row) => [row.id, present(row)]));
}

async function countDeliveries(
  em: EntityManager,
  owners: readonly string[],
  question: DeliveryQuestion,
): Promise<Map<string, number>> {
  const [sources, values] = sourcesOf(question, [], {
    // A hidden order, for the index of kinds; without kinds the planner needs no help.
    ...(question.kinds ? { direction: 'asc' } : {}),
    limit: MOST_COUNTED + 1,
  });
  const [condition, more] = ownerOf(question);
  const rows = await em.execute<{ owner: string; count: string }[]>(
    `select o.id as owner, count(*) from unnest(array[?]::text[]) o(id) cross join lateral (
       select from webhook_subscription s cross join lateral (${sources}) d(${COLUMNS}) where ${condition} limit ?) d group by o.id`,
    [[...owners], ...values, ...more, MOST_COUNTED + 1],
  );
  return new Map(rows.map(({ owner, count }) => [owner, Number(count)]));
}

const ANY = { statuses: null, kinds: null };

/**
 * The rows of a subscription `s` in all requested places, those of several kinds kind by kind, in index order. If one subscription or kind
 * has most rows, the planner assumes the same of each and walks the ids of all; for a range with one value it doesn't.
 */
function sourcesOf(
  { statuses, kinds }: Pick<DeliveryQuestion, 'statuses' | 'kinds'>,
  bounds: readonly Fragment[],
  slice?: Slice,
): Fragment {
  const places = statuses ? [...new Set(statuses)].map((status) => PLACES[status]) : Object.values(PLACES);
  const sources = places.map(({ idColumn, sql, byOwner }) => {
    const walksOwners = byOwner && !kinds;
    const conditions = [
      walksOwners ? 'subscription_id between s.id and s.id' : 'subscription_id = s.id',
      ...(kinds ? ['kind between k.kind and k.kind'] : []),
      ...bounds.map(([condition]) => condition),
    ];
    const order = [...(walksOwners ? ['subscription_id'] : []), ...(kinds ? ['kind'] : []), '{id}'];
    const text = [sql, ...conditions.map((condition) => `and ${condition}`)];
    if (slice?.direction) text.push(`order by ${order.map((column) => `${column} ${slice.direction}`).join(', ')}`);
    if (slice) text.push('limit ?');
    const own = `(${text.join(' ').replaceAll('{id}', idColumn)})`;
    return kinds
      ? `(select own.* from unnest(array[?]::text[]) k(kind) cross join lateral ${own} own(${COLUMNS}))`
      : own;
  });
  const values = [
    ...(kinds ? [[...new Set(kinds)]] : []),
    ...bounds.flatMap(([, own]) => own),
    ...(slice ? [slice.limit] : []),
  ];
  return [sources.join(' union all '), places.flatMap(() => values)];
}

function ownerOf({ of, subscriptionIds }: DeliveryQuestion): Fragment {
  const own = of === 'project' ? 's.project_id = o.id::uuid' : 's.id = o.id';
  return subscriptionIds ? [`${own} and s.id = any(array[?]::text[])`, [[...subscriptionIds]]] : [own, []];
}

const present = ({ owner: _, nextAttemptAt, createdAt, endedAt, ...delivery }: DeliveryRow): WebhookDelivery => ({
  ...delivery,
  nextAttemptAt: nextAttemptAt && new Date(nextAttemptAt),
  createdAt: createdAt ? new Date(createdAt) : timeOfUuid(delivery.id),
  endedAt: endedAt && new Date(endedAt),
});
