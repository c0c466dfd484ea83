import * as assert from 'uvu/assert';
import { createQuarterdeck } from '../../src/sdk/node/quarterdeck.js';
import { buildKey, buildWorld } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { appSuite } from '../support/factories/world-suite.js';

const x = appSuite('the context of @quarterdeck/node');

x('is read like the JSON that would carry it to the server', async ({ test }) => {
  const world = await buildWorld(test);
  const asks = (key: string, attribute: string, operator: string, ...values: unknown[]) =>
    buildFlag(world, { key, rules: [{ conditions: [{ attribute, operator, values }], variant: 'on' }] });
  await asks('pro', 'props.plan', 'in', 'pro');
  await asks('early', 'context.since', 'before', '2026-01-01');
  await asks('seen', 'context.visits.first', 'after', '2020-01-01');
  await asks('old', 'context.ages', 'gte', 18);
  await asks('there', 'context.given', 'exists');
  const properties = { plan: 'pro' };
  await world.live.post('/api/v1/people', { distinct_id: 'u', properties });
  const key = await buildKey(world.owner, world.projectId, 'live', ['definitions']);
  const alone = { captureErrors: false, flushOnExit: false };
  const library = createQuarterdeck({ url: test.baseUrl, key, ...alone });
  await library.ready;
  const date = new Date('2025-06-01T00:00:00Z');
  const shown = { toJSON: () => 'pro' };
  for (const [context, ...on] of [
    [{ plan: undefined }, 'pro'],
    [{ plan: () => 'free' }, 'pro'],
    [{ plan: null }],
    [{ plan: shown }, 'pro'],
    [{ plan: ['free', shown] }, 'pro'],
    [{ plan: 'free', since: date, visits: { first: date } }, 'early', 'seen'],
    [{ plan: 'free', since: [new Date(), date], visits: { first: undefined } }, 'early'],
    [{ plan: 'free', ages: Number.POSITIVE_INFINITY, given: Number.NaN }],
    [{ plan: 'free', ages: [Number.NaN, 20], given: new Map() }, 'old', 'there'],
  ] as const) {
    const { body } = await world.live.post('/api/v1/handshake', { distinct_id: 'u', context });
    const { flags } = (body as { modules: { switch: { flags: Record<string, { value: boolean }> } } }).modules.switch;
    const here = library.bootstrap({ distinctId: 'u', properties, context }).flags ?? {};
    const there = Object.fromEntries(Object.entries(flags).map(([name, { value }]) => [name, value]));
    const wanted = Object.fromEntries(
      Object.keys(here).map((name) => [name, (on as readonly string[]).includes(name)]),
    );
    assert.equal([here, there], [wanted, wanted], String(Object.keys(context)));
  }
  await library.close();
});

x.run();
