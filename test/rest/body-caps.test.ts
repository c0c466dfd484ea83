import * as assert from 'uvu/assert';
import { readEnv } from '../../src/env.js';
import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import { BODY_FORMS, growthOf, gunzippedBy, gzipBomb, type RawAnswer, sendRaw } from '../support/body-forms.js';
import { buildWorld } from '../support/factories/factories.js';
import { worldSuite } from '../support/factories/world-suite.js';
import { openTestApp } from '../support/test-app.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const TOO_LARGE = { error: 'payload_too_large' };

interface Capped {
  readonly path: string;
  readonly caller: 'key' | 'token';
  readonly cap: number;
  /** The route's own refusal, as OFREP has one. */
  readonly refusal?: object;
}

const nothing = '01990000-0000-7000-8000-000000000000';
const CAPPED: readonly Capped[] = [
  { path: '/api/switch/halt-webhook', caller: 'key', cap: 64 * KIB },
  { path: '/api/v1/switch/halt-webhook', caller: 'key', cap: 64 * KIB },
  { path: '/api/v1/switch/flags/flg_1/resume', caller: 'token', cap: 64 * KIB },
  { path: `/api/v1/config/items/${nothing}/rollback`, caller: 'token', cap: 64 * KIB },
  { path: '/api/pulse/responses', caller: 'key', cap: MIB },
  { path: '/api/pulse/partial', caller: 'key', cap: MIB },
  { path: '/api/v1/handshake', caller: 'key', cap: 256 * KIB },
  { path: '/ofrep/v1/evaluate/flags', caller: 'key', cap: 256 * KIB },
  { path: '/ofrep/v1/evaluate/flags/one', caller: 'key', cap: 256 * KIB },
  { path: '/api/catch/events', caller: 'key', cap: 32 * MIB },
  { path: '/api/catch/profiles', caller: 'key', cap: 20 * MIB },
  { path: '/graphql', caller: 'token', cap: MIB },
];

const x = worldSuite('body limits');
const { here } = x;

function send(
  path: string,
  caller: Capped['caller'],
  form: ReturnType<(typeof BODY_FORMS)[string]>,
): Promise<RawAnswer> {
  const headers = {
    ...form.headers,
    'content-type': 'application/json',
    ...(caller === 'key'
      ? { 'x-api-key': here.world.keys.live }
      : { authorization: `Bearer ${here.world.owner.token}` }),
  };
  return sendRaw(here.test.baseUrl + path, { ...form, headers }).answered;
}

function refusesAsTooLarge(path: string, { status, headers, text }: RawAnswer, what: string): void {
  assert.is(status, 413, `${path} ${what}: ${text}`);
  assert.match(String(headers['x-request-id']), /^[\w-]{8,}$/, `${path} ${what}`);
  const body = JSON.parse(text) as { error?: string; errors?: { extensions: { code: string } }[] };
  if (path === '/graphql') assert.is(body.errors?.[0]?.extensions.code, 'PAYLOAD_TOO_LARGE');
  else if (path.startsWith('/ofrep/')) assert.is(body.error, 'payload_too_large');
  else assert.equal(body, TOO_LARGE);
}

for (const { path, caller, cap } of CAPPED) {
  x(`${path} takes at most ${cap} bytes, however they arrive`, async () => {
    for (const [name, form] of Object.entries(BODY_FORMS)) {
      if (cap > MIB && !['announced', 'chunked', 'gzip'].includes(name)) continue;
      // For tens of megabytes that fit, the chunked case is enough.
      if (cap <= MIB || name === 'chunked') {
        const fits = await send(path, caller, form(Buffer.alloc(cap, ' ')));
        assert.is.not(fits.status, 413, `${path} ${name}: ${fits.text}`);
      }
      refusesAsTooLarge(path, await send(path, caller, form(Buffer.alloc(cap + 1, ' '))), name);
    }
  });
}

x(
  'bombs of 500 MiB are refused before inflation on every route that buffers its body, and cost little memory',
  async () => {
    const bomb = gzipBomb(500);
    assert.ok(bomb.length < 600_000);
    const form = { headers: { 'content-encoding': 'gzip', 'content-length': String(bomb.length) }, parts: [bomb] };
    const { mebibytes } = await growthOf(async () => {
      for (const { path, caller, cap } of CAPPED) {
        const gunzipped = await gunzippedBy(async () => {
          const answers = await Promise.all([1, 2, 3].map(() => send(path, caller, form)));
          for (const answer of answers) refusesAsTooLarge(path, answer, 'bomb');
        });
        assert.ok(gunzipped < 3 * (cap / MIB + 1), `${path}: ${gunzipped} MiB inflated`);
      }
    });
    assert.ok(mebibytes < 200, `the process grew by ${mebibytes} MiB`);
  },
);

x('a bomb that is not JSON is refused by ingestion before it is inflated', async () => {
  const bomb = gzipBomb(500, 'x');
  const form = { headers: { 'content-encoding': 'gzip', 'content-length': String(bomb.length) }, parts: [bomb] };
  for (const path of ['/api/v1/batch', '/api/v1/track', '/api/v1/people', '/api/v1/alias']) {
    const gunzipped = await gunzippedBy(async () => {
      const { status, text } = await send(path, 'key', form);
      assert.is(status, 400, text);
      assert.equal(JSON.parse(text), { error: 'Invalid request body' });
    });
    assert.ok(gunzipped < 8, `${path}: ${gunzipped} MiB inflated`);
  }
});

x('ingestion takes at most 500 MiB, and refuses larger announced bodies at once', async () => {
  assert.equal([BODY_CAPS.stream, readEnv({}).maxBodyBytes], [500 * MIB, 500 * MIB]);
  const statusOf = async (path: string, length: number): Promise<number> => {
    const headers = {
      'x-api-key': here.world.keys.live,
      'content-type': 'application/json',
      'content-length': `${length}`,
    };
    return (await sendRaw(here.test.baseUrl + path, { headers, parts: ['no JSON'], open: true }).answered).status;
  };
  for (const path of ['/api/v1/batch', '/api/v1/track'])
    assert.equal([await statusOf(path, 500 * MIB), await statusOf(path, 500 * MIB + 1)], [400, 413], path);
});

x('ingestion counts inflated bytes and keeps none of them', async () => {
  const most = 200;
  const capped = await openTestApp({ settings: { MAX_BODY_BYTES: String(most * MIB) } });
  const there = await buildWorld(capped);
  const bomb = gzipBomb(most + 1);
  const headers = {
    'x-api-key': there.keys.live,
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-length': String(bomb.length),
  };
  const { mebibytes } = await growthOf(async () => {
    const { answered } = sendRaw(`${capped.baseUrl}/api/v1/batch`, { headers, parts: [bomb] });
    refusesAsTooLarge('/api/v1/batch', await answered, 'bomb');
  });
  await capped.close();
  assert.ok(mebibytes < 150, `the process grew by ${mebibytes} MiB`);
});

x('bodies with more values than memory should hold are too large, whatever their bytes', async () => {
  const events = Buffer.from(`{"events":[${'{},'.repeat(1_000_001)}{}]}`);
  refusesAsTooLarge('/api/catch/events', await send('/api/catch/events', 'key', { headers: {}, parts: [events] }), '');
});

x('MAX_BODY_BYTES lowers all limits, including that of inflated ingestion', async () => {
  const cap = 2_000;
  const small = await openTestApp({ settings: { MAX_BODY_BYTES: String(cap) } });
  const there = await buildWorld(small);
  const ingestion = ['/api/v1/batch', '/api/v1/track'].map((path): Capped => ({ path, caller: 'key', cap }));
  for (const { path, caller } of [...CAPPED, ...ingestion]) {
    const headers: Record<string, string> =
      caller === 'key' ? { 'x-api-key': there.keys.live } : { authorization: `Bearer ${there.owner.token}` };
    for (const encoded of [{}, { 'transfer-encoding': 'chunked' }] as Record<string, string>[]) {
      const { answered } = sendRaw(small.baseUrl + path, {
        headers: { ...headers, ...encoded, 'content-type': 'application/json' },
        parts: [Buffer.alloc(cap + 1, ' ')],
      });
      refusesAsTooLarge(path, await answered, JSON.stringify(encoded));
    }
  }
  const inflated = BODY_FORMS.gzip?.(Buffer.alloc(cap + 1, ' '));
  for (const { path } of ingestion) {
    const headers = { ...inflated?.headers, 'x-api-key': there.keys.live, 'content-type': 'application/json' };
    const { answered } = sendRaw(small.baseUrl + path, { headers, parts: inflated?.parts ?? [] });
    refusesAsTooLarge(path, await answered, 'gzip');
  }
  await small.close();
});

x('an announced length that is too small or too large harms only its own request', async () => {
  const path = `${here.test.baseUrl}/api/catch/profiles`;
  const headers = { 'x-api-key': here.world.keys.live, 'content-type': 'application/json' };
  const large = sendRaw(path, { headers: { ...headers, 'content-length': '99999999999' }, parts: ['{'], open: true });
  assert.is((await large.answered).status, 413);
  const cut = sendRaw(path, { headers: { ...headers, 'content-length': '1000' }, parts: ['{"a":1'], open: true });
  cut.outgoing.destroy();
  await cut.answered.then(
    () => assert.unreachable(),
    () => undefined,
  );
  assert.is((await send('/api/catch/profiles', 'key', { headers: {}, parts: ['{}'] })).status, 202);
});

x('a profile of any JSON is stored, and anything else is refused', async () => {
  for (const body of ['{"a":[1,"\\u00e9"]}', ' 12 ', '-1e3', 'null', '"text"', '[]'])
    assert.is((await send('/api/catch/profiles', 'key', { headers: {}, parts: [body] })).status, 202, body);
  for (const body of ['', '{', '1 2', '01', '"', 'nul', '{"a":1}}', '[1,]', `${'['.repeat(300)}${']'.repeat(300)}`])
    assert.is((await send('/api/catch/profiles', 'key', { headers: {}, parts: [body] })).status, 400, body);
});

x('the limits match the table', () => {
  const caps = new Set(CAPPED.map(({ cap }) => cap));
  assert.equal(
    [...caps].toSorted(),
    // Parts are tested next to the files they become.
    [...new Set(Object.values(BODY_CAPS))]
      .filter((cap) => cap !== BODY_CAPS.stream && cap !== BODY_CAPS.part)
      .toSorted(),
  );
});

x.run();
