import * as assert from 'uvu/assert';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { recordReads } from '../../support/statements.js';

const x = worldSuite('POST /api/v1/handshake');

const PATH = '/api/v1/handshake';

x('answers like the GET, under the same tag, and uses stored facts', async ({ world }) => {
  await buildFlag(world, { rules: [{ percentage: 50, variant: 'on' }] });
  const asked = { distinct_id: 'u1', app_version: '1.2.3', platform: 'ios', os_version: '17', locale: 'de' };
  const got = await world.live.get(`${PATH}?${new URLSearchParams(asked)}`);
  const posted = await world.live.post(PATH, asked);
  assert.is(posted.status, 200);
  assert.is(posted.text, got.text);
  assert.is(posted.headers.get('etag'), got.headers.get('etag'));
  const known = await world.live.post(PATH, asked, { 'if-none-match': got.headers.get('etag') ?? '' });
  assert.is(known.status, 304);
  assert.is(known.text, '');
  for (const installed of ['config,switch', ['config', 'switch']]) {
    const { body } = await world.live.post(PATH, { installed });
    assert.equal(Object.keys((body as { modules: object }).modules), ['switch', 'config']);
  }
});

x('request data overrides stored data', async ({ world }) => {
  const { key } = await buildFlag(world, {
    rules: [
      {
        conditions: [
          { attribute: 'props.plan', operator: 'in', values: ['pro'] },
          { attribute: 'context.cart.total', operator: 'gt', values: [100] },
        ],
        variant: 'on',
      },
    ],
  });
  await world.live.post('/api/v1/people', { distinct_id: 'shopper', properties: { plan: 'free' } });
  const ask = async (context: object) => {
    const { body } = await world.live.post(PATH, { distinct_id: 'shopper', context, installed: 'switch' });
    return (body as { modules: { switch: { flags: Record<string, { variant: string }> } } }).modules.switch.flags[key]
      ?.variant;
  };
  assert.is(await ask({ cart: { total: 101 } }), 'off');
  assert.is(await ask({ cart: { total: 101 }, plan: 'pro' }), 'on');
  assert.is(await ask({ cart: { total: '101' }, plan: 'pro' }), 'off');
  assert.is(await ask({ cart: { total: 101 }, plan: 'pro', __proto__: null }), 'on');
});

x('rich rules cost one look-up of the person, and none right after another', async ({ test, world }) => {
  test.clock.set(new Date());
  const ask = (distinctId: string) =>
    world.live.post(PATH, { distinct_id: distinctId, context: { cart: { total: 5 } } });
  await ask('first');
  assert.is((await recordReads(() => ask('second'))).statements.length, 1);
  assert.is((await recordReads(() => ask('second'))).statements.length, 0);
});

x.run();
