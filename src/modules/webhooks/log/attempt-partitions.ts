import { type Context, systemCaller } from '../../../kernel/context.js';
import { eachApart } from '../../../kernel/database/each-apart.js';
import { limitLockWaits } from '../../../kernel/database/lock-timeout.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { firstUuidOf } from '../../../kernel/ids.js';
import { DAY_MS } from '../../../kernel/values/durations.js';

const WEEK_MS = 7 * DAY_MS;
const WEEKS_AHEAD = 2;
const KEPT_MS = 35 * DAY_MS;
const PREFIX = 'webhook_attempt_w';
const LOCK = 7_104_418_241;
/** Where deliveries are whose attempts are still needed, however old. */
const OPEN = ['webhook_queue', 'webhook_dead_letter'];

/**
 * Creates the partitions of the attempt log for the coming weeks and drops those older than 35 days, except what belongs to
 * deliveries that still wait or are dead letters. Only future weeks get one: rows already written for a week without a partition stay in
 * the default one, and are deleted there. Fails if a long transaction, such as a
 * backup, holds the tables: deliveries would queue behind a statement that waits for it.
 */
export async function keepAttemptPartitions(tx: Transactions): Promise<void> {
  await eachApart([deleteUnpartitioned, makeComing, dropExpired], (step) => tx.write(systemCaller('clean-up'), step));
}

const keptFrom = (ctx: Context): number => ctx.now().getTime() - KEPT_MS;

async function deleteUnpartitioned(ctx: Context): Promise<void> {
  const open = OPEN.map((table) => `not exists (select from ${table} where id = a.delivery_id)`);
  await ctx.em.execute(`delete from webhook_attempt_other a where delivery_id < ?::uuid and ${open.join(' and ')}`, [
    firstUuidOf(keptFrom(ctx)),
  ]);
}

async function makeComing(ctx: Context): Promise<void> {
  await limitLockWaits(ctx);
  await ctx.em.execute('select pg_advisory_xact_lock(?)', [LOCK]);
  const thisWeek = Math.floor(ctx.now().getTime() / WEEK_MS);
  for (let week = thisWeek + 1; week <= thisWeek + WEEKS_AHEAD; week++) {
    const name = `${PREFIX}${week}`;
    const [made] = await ctx.em.execute<{ known: boolean }[]>('select to_regclass(?) is not null as known', [name]);
    if (made?.known) continue;
    // Attaching it blocks no writers; creating it as a partition would lock the whole log.
    await ctx.em.execute(`create table ${name} (like webhook_attempt including all excluding indexes)`);
    await ctx.em.execute(
      `alter table webhook_attempt attach partition ${name}
         for values from ('${firstUuidOf(week * WEEK_MS)}') to ('${firstUuidOf((week + 1) * WEEK_MS)}')`,
    );
  }
}

async function dropExpired(ctx: Context): Promise<void> {
  await limitLockWaits(ctx);
  const partitions = await ctx.em.execute<{ name: string }[]>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'webhook_attempt'::regclass`,
  );
  for (const { name } of partitions) {
    const week = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length)) : Number.NaN;
    const isOld = (week + 1) * WEEK_MS < keptFrom(ctx);
    if (isOld && !(await hasOpen(ctx, week))) await ctx.em.execute(`drop table if exists ${name}`);
  }
}

async function hasOpen(ctx: Context, week: number): Promise<boolean> {
  const found = OPEN.map((table) => `exists (select from ${table}, week where id >= opens and id < closes)`);
  const [row] = await ctx.em.execute<{ open: boolean }[]>(
    `with week(opens, closes) as (values (?::uuid, ?::uuid)) select ${found.join(' or ')} as open`,
    [firstUuidOf(week * WEEK_MS), firstUuidOf((week + 1) * WEEK_MS)],
  );
  return row?.open ?? false;
}
