import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RowTail } from '../../../../src/events/row-tail.js';
import { DeliveryQueue } from '../../../../src/modules/webhooks/delivery/delivery-queue.js';
import { DeliveryRecords } from '../../../../src/modules/webhooks/delivery/delivery-records.js';
import type { Verdict } from '../../../../src/modules/webhooks/delivery/retry-schedule.js';
import { ProcessBroadcast } from '../../../../src/storage/shared/process-broadcast.js';
import { buildWorld } from '../../../support/factories/factories.js';
import { buildSubscription } from '../../../support/factories/webhook-factory.js';
import { queueDeliveries } from '../../../support/receivers/waiting-deliveries.js';
import { openTestApp } from '../../../support/test-app.js';
import { until } from '../../../support/until.js';

const WAITING = 20_000;
const BATCH = 500;
const ATTEMPT = { status: 200, failure: null, latencyMs: 1, answer: '', retryAfter: null };
const VERDICTS: readonly Verdict[] = [
  { kind: 'delivered' },
  { kind: 'retry', at: Date.parse('2030-01-01T00:00:00Z') },
  { kind: 'dead', reason: 'attempts_exhausted' },
];

const x = suite('a queue that is full');

x('is not scanned for a batch, however empty the planner believes it is', async () => {
  const test = await openTestApp({ settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' } });
  const { pool } = test.app;
  try {
    const { id } = await buildSubscription(await buildWorld(test), 'http://127.0.0.1:8080/', ['config.*']);
    const [event] = await queueDeliveries(pool, id, 1);
    // Empty pages, which make the planner conclude that the table always stays empty.
    const fill = `insert into webhook_queue (id, subscription_id, event_id, kind, due_at, created_at)
                  select uuidv7(), $1, $2, 'config.item.changed', now(), now() from generate_series(1, ${WAITING})`;
    await pool.query(fill, [id, event]);
    await pool.query('delete from webhook_queue');
    await pool.query('analyze webhook_queue');
    await pool.query(fill, [id, event]);
    const { rows } = await pool.query("select reltuples::int from pg_class where relname = 'webhook_queue'");
    assert.is(rows[0].reltuples, 0);

    const rowsRead = async () => {
      const statistics = await pool.query<{ n: string }>(
        "select seq_tup_read + idx_tup_fetch as n from pg_stat_user_tables where relname = 'webhook_queue'",
      );
      return Number(statistics.rows[0]?.n);
    };
    const queue = new DeliveryQueue(pool);
    const claimed = await queue.claim(7, new Date(), { perLane: new Map(), other: 3 * BATCH, total: 3 * BATCH });
    assert.is(claimed.length, 3 * BATCH);
    await until('the statistics of the claim', async () => (await rowsRead()) >= WAITING + 3 * BATCH);
    const before = await rowsRead();
    const records = new DeliveryRecords(pool, new RowTail(new ProcessBroadcast(), 'deliveries'));
    for (const [at, verdict] of VERDICTS.entries()) {
      const batch = claimed.slice(at * BATCH, (at + 1) * BATCH);
      const ended = batch.map((delivery) => ({
        delivery,
        result: ATTEMPT,
        verdict,
        at: new Date(),
        wasFailing: false,
      }));
      await records.record(ended);
    }
    await until('the statistics of the batches', async () => (await rowsRead()) >= before + 3 * BATCH);
    assert.ok((await rowsRead()) < before + WAITING, `${(await rowsRead()) - before} rows read`);

    const counted = await pool.query<{ waiting: number; due: number; dead: number; logged: number }>(
      `select (select count(*)::int from webhook_queue) as waiting,
              (select count(*)::int from webhook_queue where attempts = 1 and due_at = '2030-01-01T00:00:00Z' and leased_until < now()) as due,
              (select count(*)::int from webhook_dead_letter where reason = 'attempts_exhausted') as dead,
              (select count(*)::int from webhook_attempt) as logged`,
    );
    assert.equal(counted.rows, [{ waiting: WAITING - 2 * BATCH, due: BATCH, dead: BATCH, logged: 3 * BATCH }]);

    const [again] = await queue.claim(7, new Date(), { perLane: new Map(), other: 1, total: 1 });
    assert.ok(again);
    await pool.query('update webhook_queue set lease_owner = 8 where id = $1', [again.id]);
    await records.record([
      { delivery: again, result: ATTEMPT, verdict: { kind: 'delivered' }, at: new Date(), wasFailing: false },
    ]);
    await queue.release([again]);
    const left = await pool.query('select from webhook_queue where id = $1 and leased_until > now()', [again.id]);
    assert.is(left.rowCount, 1, 'what another worker has leased meanwhile stays unchanged');
  } finally {
    await test.close();
  }
});

x.run();
