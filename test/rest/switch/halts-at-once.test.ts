import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import type { KeyActor } from '../../../src/kernel/actor.js';
import { haltFlagsSql, haltFlagsValues } from '../../../src/modules/switch/halting/halt-flags.sql.js';
import type { RestAnswer } from '../../support/client.js';
import { buildWorld } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { eventsOf, flagOf, versionsOf } from '../../support/halted-flags.js';

const halts = worldSuite('halts at once');

const PATH = '/api/switch/halt-webhook';

halts('200 at once make one version and one event', async ({ test, world }) => {
  const flag = await buildFlag(world);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, call) => world.live.post(PATH, { flag_key: flag.key, reason: `call ${call}` })),
  );
  assert.equal([...new Set(answers.map(({ status, text }) => `${status} ${text}`))].length, 1);
  assert.is(flagOf(answers[0] as RestAnswer).current_version, 2);
  assert.equal(
    (await eventsOf(test, flag.id)).map(({ kind }) => kind),
    ['switch.flag.created', 'switch.flag.halted'],
  );
  assert.is((await versionsOf(test, flag.id)).length, 2);
});

halts('of many flags at once make one version and one event each, whoever asks', async ({ test, world }) => {
  const other = await buildWorld(test);
  const flags = await Promise.all([...Array(12).keys()].map((at) => buildFlag(at % 3 === 0 ? other : world)));
  const calls = flags.flatMap((flag, at) =>
    ['first', 'second'].map((reason) =>
      (at % 3 === 0 ? other : world).live.post(PATH, { flag_key: flag.key, reason: `${reason} of ${at}` }),
    ),
  );
  const unknown = [...Array(4).keys()].map((at) => world.live.post(PATH, { flag_key: `nope.${at}`, reason: 'x' }));
  const answers = await Promise.all(calls);
  assert.equal(new Set((await Promise.all(unknown)).map(({ status }) => status)), new Set([404]));
  for (const [at, flag] of flags.entries()) {
    const [one, two] = answers.slice(2 * at, 2 * at + 2).map(flagOf);
    assert.equal(one, two, `flag ${at} gets the same answer`);
    assert.is(one?.id, flag.id);
    const versions = await versionsOf(test, flag.id);
    assert.equal(
      versions.map(({ action }) => action),
      ['created', 'halted'],
    );
    assert.is(versions[1].note, one?.halt_reason);
    const events = (await eventsOf(test, flag.id)).filter(({ kind }) => kind === 'switch.flag.halted');
    assert.is(events.length, 1);
    assert.is(events[0].data.reason, one?.halt_reason);
  }
});

halts(
  'of a flag that is being changed wait together, however many, and leave connections to others',
  async ({ test, world }) => {
    const [busy, free] = [await buildFlag(world), await buildFlag(world)];
    const client = await test.app.pool.connect();
    const halt = (flag_key: string) => world.live.post(PATH, { flag_key, reason: 'once more' });
    const waiting: Promise<RestAnswer>[] = [];
    try {
      await client.query('begin');
      await client.query(`update flag set description = 'being edited' where id = $1`, [busy.id]);
      for (let call = 0; call < 20; call++) {
        waiting.push(halt(busy.key));
        waiting.at(-1)?.catch(() => undefined);
        const late = sleep(5_000, null, { ref: false });
        assert.is((await Promise.race([halt(free.key), late]))?.status, 200, `beside ${call + 1} that wait`);
      }
      await client.query('commit');
    } finally {
      await client.query('rollback');
      client.release();
    }
    for (const answer of await Promise.all(waiting)) assert.is(flagOf(answer).halt_reason, 'once more');
  },
);

halts('of a flag that is being changed wait for it, and hold up no other flag', async ({ test, world }) => {
  const [busy, free] = [await buildFlag(world), await buildFlag(world)];
  const client = await test.app.pool.connect();
  let isAnswered = false;
  let waiting: Promise<RestAnswer> | undefined;
  try {
    await client.query('begin');
    await client.query(`update flag set description = 'being edited' where id = $1`, [busy.id]);
    waiting = world.live.post(PATH, { flag_key: busy.key, reason: 'waits' }).finally(() => {
      isAnswered = true;
    });
    const others = await Promise.all(
      [...Array(6).keys()].map(() => world.live.post(PATH, { flag_key: free.key, reason: 'at once' })),
    );
    for (const answer of others) assert.is(flagOf(answer).halt_reason, 'at once');
    assert.is(isAnswered, false);
    await client.query('commit');
  } finally {
    client.release();
  }
  assert.is(flagOf(await waiting).halt_reason, 'waits');
  assert.equal(
    (await versionsOf(test, busy.id)).map(({ action }) => action),
    ['created', 'halted'],
  );
});

halts('that share a statement with one that cannot be stored are stored, two at a time', async ({ test, world }) => {
  const flags = await Promise.all([...Array(40).keys()].map(() => buildFlag(world)));
  const bad = flags[7]?.id;
  const { pool } = test.app;
  await pool.query(`
    create function refuse_bad() returns trigger language plpgsql as $$ begin
      if new.flag_id = '${bad}' then raise exception 'one of them' using errcode = 'check_violation'; end if;
      perform pg_sleep(0.02);
      return new;
    end $$;
    create trigger refuse_bad before insert on flag_version for each row execute function refuse_bad()`);
  let isOver = false;
  const most = (async () => {
    let seen = 0;
    while (!isOver) {
      const { rows } = await pool.query<{ busy: number }>(
        `select count(*)::int as busy from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      );
      seen = Math.max(seen, rows[0]?.busy ?? 0);
    }
    return seen;
  })();
  try {
    const answers = await Promise.all(
      flags.map(({ key }) => world.live.post(PATH, { flag_key: key, reason: 'together' })),
    );
    assert.equal(
      answers.map(({ status }) => status),
      flags.map(({ id }) => (id === bad ? 500 : 200)),
    );
  } finally {
    isOver = true;
    await pool.query('drop trigger refuse_bad on flag_version; drop function refuse_bad()');
  }
  assert.ok((await most) <= 2, `${await most} at once`);
});

halts('use one plan, however many there are', async ({ test, world }) => {
  const flags = await Promise.all([...Array(4).keys()].map(() => buildFlag(world)));
  const actor = { kind: 'key', projectId: world.projectId, organizationId: world.organizationId, keyId: randomUUID() };
  const asked = flags.map(({ key }) => ({
    caller: { actor: actor as KeyActor, requestId: 'plans', address: null },
    request: { flagKey: key, reason: 'plans', environment: 'live', evidenceUrl: null } as const,
  }));
  const client = await test.app.pool.connect();
  try {
    const statement = { name: 'one-plan', text: haltFlagsSql('skip locked') };
    for (let call = 0; call < 24; call++) {
      const values = haltFlagsValues(asked.slice(0, (call % flags.length) + 1), new Date());
      await client.query({ ...statement, values });
    }
    const { rows } = await client.query<{ custom: number }>(
      `select custom_plans::int as custom from pg_prepared_statements where name = 'one-plan'`,
    );
    // PostgreSQL makes five custom plans before it may keep a generic one.
    assert.equal(rows, [{ custom: 5 }]);
  } finally {
    client.release();
  }
});

halts.run();
