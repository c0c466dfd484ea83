import { randomUUID } from 'node:crypto';
import * as assert from 'uvu/assert';
import { Client, type RestAnswer } from '../../support/client.js';
import { buildKey, buildMember, buildWorld, setPlan, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';
import { eventsOf, flagOf, versionsOf } from '../../support/halted-flags.js';

const halt = worldSuite('POST /api/switch/halt-webhook');

const PATH = '/api/switch/halt-webhook';

halt(
  'sets the halt, appends a version, and reports it with the key, the address and the evidence',
  async ({ test, world }) => {
    const flag = await buildFlag(world);
    const before = Date.now();
    const answer = await world.live.post(PATH, {
      flag_key: flag.key,
      reason: 'error rate 12 %',
      evidence_url: 'https://status.example.com/incidents/7',
    });
    assert.is(answer.status, 200);
    const { body } = answer as { body: { flag: Record<string, unknown> } };
    assert.equal(Object.keys(body), ['flag']);
    const { halted_at, created_at, updated_at, ...rest } = body.flag as Record<string, string>;
    assert.equal(rest, {
      id: flag.id,
      project_id: world.projectId,
      environment: 'live',
      key: flag.key,
      kind: 'boolean',
      description: '',
      default_value: 'false',
      default_variant: 'off',
      is_archived: false,
      current_version: 2,
      halt_reason: 'error rate 12 %',
      halt_condition: null,
    });
    assert.match(halted_at as string, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.ok(Math.abs(Date.parse(halted_at as string) - before) < 5_000);
    assert.is(updated_at, halted_at);
    assert.ok((created_at as string) <= (halted_at as string));
    const [, event] = await eventsOf(test, flag.id);
    assert.is(event.kind, 'switch.flag.halted');
    assert.is(event.actor_id, 'system:halt-webhook');
    assert.is(event.actor_email, '');
    assert.is(event.address, '127.0.0.1');
    assert.is(event.request_id, answer.headers.get('x-request-id'));
    const { key_id: keyId, ...data } = event.data;
    assert.match(keyId, /^[0-9a-f-]{36}$/);
    assert.equal(data, {
      flag_id: flag.id,
      key: flag.key,
      version: 2,
      reason: 'error rate 12 %',
      evidence_url: 'https://status.example.com/incidents/7',
    });
    const [, version] = await versionsOf(test, flag.id);
    assert.equal(version, {
      version_number: 2,
      action: 'halted',
      actor_id: 'system:halt-webhook',
      note: 'error rate 12 %',
    });
  },
);

halt('leaves the same event and evidence as a halt by a person, except for the actor', async ({ test, world }) => {
  const [byKey, byPerson] = [await buildFlag(world), await buildFlag(world)];
  const evidenceUrl = 'https://status.example.com/7';
  await world.live.post(PATH, { flag_key: byKey.key, reason: 'slow', evidence_url: evidenceUrl });
  await world.owner.client.graphql('mutation($i: HaltFlagInput!) { haltFlag(input: $i) { id } }', {
    i: { flagId: byPerson.id, reason: 'slow', evidenceUrl },
  });
  const shapes = await Promise.all(
    [byKey, byPerson].map(async (flag) => {
      const [, { kind, data, before, after }] = await eventsOf(test, flag.id);
      assert.match(after.haltedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      return {
        kind,
        data: { ...data, flag_id: '', key: '', key_id: '' },
        before,
        after: { ...after, haltedAt: '' },
      };
    }),
  );
  assert.equal(shapes[0], shapes[1]);
  for (const { id } of [byKey, byPerson]) {
    const halted = { haltEvidenceUrl: evidenceUrl, versions: [evidenceUrl, null] };
    assert.equal(await evidenceOf(world, id), halted);
    await world.owner.client.graphql('mutation($i: ResumeFlagInput!) { resumeFlag(input: $i) { id } }', {
      i: { flagId: id },
    });
    assert.equal(await evidenceOf(world, id), { haltEvidenceUrl: null, versions: [null, evidenceUrl, null] });
  }
});

/** The evidence that a flag shows, and that of its versions, newest first. */
async function evidenceOf(world: World, id: string): Promise<object> {
  const { flag } = await world.owner.client.graphql<{
    flag: { haltEvidenceUrl: string | null; versions: { nodes: { evidenceUrl: string | null }[] } };
  }>('query($id: ID!) { flag(id: $id) { haltEvidenceUrl versions { nodes { evidenceUrl } } } }', { id });
  return { ...flag, versions: flag.versions.nodes.map((version) => version.evidenceUrl) };
}

halt('changes nothing when it is repeated', async ({ test, world }) => {
  const flag = await buildFlag(world);
  const first = await world.live.post(PATH, { flag_key: flag.key, reason: 'first' });
  const second = await world.live.post(PATH, { flag_key: flag.key, reason: 'second' });
  assert.is(second.status, 200);
  assert.is(second.text, first.text);
  assert.is((await eventsOf(test, flag.id)).length, 2);
  assert.is((await versionsOf(test, flag.id)).length, 2);
});

halt('is served under its versioned path too', async ({ world }) => {
  const flag = await buildFlag(world);
  const answer = await world.live.post('/api/v1/switch/halt-webhook', { flag_key: flag.key, reason: 'x' });
  assert.is(answer.status, 200);
});

halt('halts in the environment of its key unless the body names another', async ({ world }) => {
  const flag = await buildFlag(world, { environment: 'test' });
  const notFound = await world.live.post(PATH, { flag_key: flag.key, reason: 'x' });
  assert.is(notFound.status, 404);
  const named = await world.live.post(PATH, { flag_key: flag.key, reason: 'x', environment: 'test' });
  assert.is(flagOf(named).id, flag.id);
  const other = await buildFlag(world, { environment: 'test' });
  const own = await world.test.post(PATH, { flag_key: other.key, reason: 'x', environment: null });
  assert.is(flagOf(own).id, other.id);
});

halt('works on an archived flag', async ({ world }) => {
  const flag = await buildFlag(world);
  await world.owner.client.graphql('mutation($i: FlagIdInput!) { archiveFlag(input: $i) { id } }', {
    i: { flagId: flag.id },
  });
  const answer = await world.live.post(PATH, { flag_key: flag.key, reason: 'x' });
  assert.is(answer.status, 200);
  assert.is(flagOf(answer).current_version, 3);
});

halt('drops evidence that is not a web URL, and keeps odd reasons unchanged', async ({ test, world }) => {
  for (const evidence of [
    'javascript:alert(1)',
    '//evil.example/x',
    '',
    7,
    [],
    `http://example.com/${'a'.repeat(8000)}`,
  ]) {
    const flag = await buildFlag(world);
    const answer = await world.live.post(PATH, { flag_key: flag.key, reason: ' ', evidence_url: evidence });
    assert.is(answer.status, 200, JSON.stringify(evidence).slice(0, 40));
    assert.is((await eventsOf(test, flag.id))[1].data.evidence_url, null);
    assert.is(flagOf(answer).halt_reason, ' ');
  }
  for (const [reason, stored] of [
    ['a\u0000b', 'a\uFFFDb'],
    ['\ud800', '\uFFFD'],
    ['__proto__', '__proto__'],
  ]) {
    const flag = await buildFlag(world);
    const answer = await world.live.post(PATH, { flag_key: flag.key, reason });
    assert.is(flagOf(answer).halt_reason, stored);
  }
});

halt('is refused row by row of its error table, in the order of checks', async ({ test, world }) => {
  const flag = await buildFlag(world);
  const onlyTest = await buildFlag(world, { environment: 'test' });
  const foreign = await buildWorld(test);
  const foreignFlag = await buildFlag(foreign);
  const anonymous = new Client(test.baseUrl);
  const unscoped = anonymous.withKey(await buildKey(world.owner, world.projectId, 'live', ['ingest', 'decide']));
  const { live } = world;
  const refused = (status: number, error: string) => ({ status, text: JSON.stringify({ error }) });
  const notFound = refused(404, 'flag not found');
  const good = { flag_key: flag.key, reason: 'x' };
  const cases: [string, Promise<RestAnswer>, { status: number; text: string }][] = [
    ['no key, no body', anonymous.post(PATH, ''), refused(401, 'missing x-api-key')],
    ['a token instead of a key', world.owner.client.post(PATH, good), refused(401, 'missing x-api-key')],
    ['unknown key, bad body', anonymous.withKey('sk_live_nope').post(PATH, '{'), refused(401, 'invalid api key')],
    ['a JWT as key', anonymous.withKey(world.owner.token).post(PATH, good), refused(401, 'invalid api key')],
    ['a key without the scope', unscoped.post(PATH, '{'), refused(403, 'insufficient_scope')],
    ['no JSON', live.post(PATH, '{"a":'), refused(400, 'invalid body')],
    ['an array', live.post(PATH, []), refused(400, 'invalid body')],
    ['null', live.post(PATH, 'null'), refused(400, 'invalid body')],
    ['nothing given', live.post(PATH, {}), refused(400, 'flag_key is required')],
    [
      'key empty, environment bad',
      live.post(PATH, { flag_key: '', environment: 'x' }),
      refused(400, 'flag_key is required'),
    ],
    ['key a number', live.post(PATH, { flag_key: 1, reason: 'x' }), refused(400, 'flag_key is required')],
    [
      'no reason, environment bad',
      live.post(PATH, { flag_key: 'nope', environment: 'x' }),
      refused(400, 'reason is required'),
    ],
    ['reason empty', live.post(PATH, { flag_key: flag.key, reason: '' }), refused(400, 'reason is required')],
    [
      'environment bad, flag unknown',
      live.post(PATH, { flag_key: 'nope', reason: 'x', environment: 'prod' }),
      refused(400, 'environment must be live or test'),
    ],
    [
      'environment empty',
      live.post(PATH, { ...good, environment: '' }),
      refused(400, 'environment must be live or test'),
    ],
    [
      'environment of another case',
      live.post(PATH, { ...good, environment: 'LIVE' }),
      refused(400, 'environment must be live or test'),
    ],
    [
      'environment with U+0000',
      live.post(PATH, { ...good, environment: 'live\u0000' }),
      refused(400, 'environment must be live or test'),
    ],
    ['unknown flag', live.post(PATH, { flag_key: 'nope', reason: 'x' }), notFound],
    ['another case', live.post(PATH, { flag_key: flag.key.toUpperCase(), reason: 'x' }), notFound],
    ['a space after', live.post(PATH, { flag_key: `${flag.key} `, reason: 'x' }), notFound],
    ['U+0000 after', live.post(PATH, { flag_key: `${flag.key}\u0000`, reason: 'x' }), notFound],
    ['the id instead of the key', live.post(PATH, { flag_key: flag.id, reason: 'x' }), notFound],
    ['only in the other environment', live.post(PATH, { flag_key: onlyTest.key, reason: 'x' }), notFound],
    ['of another project', live.post(PATH, { flag_key: foreignFlag.key, reason: 'x' }), notFound],
  ];
  for (const [name, answer, expected] of cases) {
    const { status, text } = await answer;
    assert.equal({ status, text }, expected, name);
  }
  assert.is((await versionsOf(test, flag.id)).length, 1, 'a refused halt changes nothing');
});

halt(
  'is refused while the module is disabled, suspended or over its quota, before the flag is looked up',
  async ({ test }) => {
    const world = await buildWorld(test);
    const halted = await buildFlag(world);
    await world.live.post(PATH, { flag_key: halted.key, reason: 'x' });
    const update = (input: object, by = world.owner.client) =>
      by.graphql('mutation($i: UpdateProjectInput!) { updateProject(input: $i) { id } }', {
        i: { id: world.projectId, ...input },
      });
    const disabled = async (reason: string | null, body: object = { flag_key: halted.key, reason: 'x' }) => {
      const { status, text } = await world.live.post(PATH, body);
      if (reason === null) assert.is(status, 200);
      else assert.equal({ status, text }, { status: 403, text: `{"error":"Switch disabled: ${reason}"}` });
    };
    await setPlan(world, { decisions: 0 });
    await disabled('quota_exceeded');
    await disabled('quota_exceeded', { flag_key: 'nope', reason: 'x' });
    assert.is((await world.live.post(PATH, { flag_key: halted.key })).status, 400, 'the body is checked first');
    await update({ billingSuspended: true }, world.operator);
    await disabled('billing_suspended');
    await update({ disabledModules: ['switch'] });
    await disabled('module_disabled');
    await update({ disabledModules: ['config'] });
    await update({ billingSuspended: false }, world.operator);
    await setPlan(world);
    await disabled(null);
  },
);

const resume = worldSuite('POST /api/v1/switch/flags/:id/resume');

resume('lifts the halt, with a version and an event, once', async ({ test, world }) => {
  const editor = await buildMember(test, world, 'editor');
  const flag = await buildFlag(world);
  const path = `/api/v1/switch/flags/${flag.id}/resume`;
  const untouched = await editor.client.post(path, {});
  assert.is(flagOf(untouched).current_version, 1, 'a flag that is not halted stays as it is');
  await world.live.post(PATH, { flag_key: flag.key, reason: 'x' });
  const answer = await editor.client.post(path, { note: 'fixed in 2.3' });
  assert.is(answer.status, 200);
  const { halted_at, halt_reason, current_version } = flagOf(answer);
  assert.equal([halted_at, halt_reason, current_version], [null, null, 3]);
  const again = await editor.client.post(path, 'no JSON at all');
  assert.is(again.text, answer.text);
  const events = await eventsOf(test, flag.id);
  assert.equal(
    events.map(({ kind }) => kind),
    ['switch.flag.created', 'switch.flag.halted', 'switch.flag.resumed'],
  );
  assert.is(events[2].actor_id, editor.id);
  assert.equal(events[2].data, { flag_id: flag.id, key: flag.key, version: 3, note: 'fixed in 2.3' });
  assert.equal(
    (await versionsOf(test, flag.id)).map(({ action }) => action),
    ['created', 'halted', 'resumed'],
  );
});

resume('is refused row by row', async ({ test, world }) => {
  const flag = await buildFlag(world);
  const viewer = await buildMember(test, world, 'viewer');
  const stranger = (await buildWorld(test)).owner.client;
  const anonymous = new Client(test.baseUrl);
  const path = (id: string) => `/api/v1/switch/flags/${id}/resume`;
  const refused = (status: number, error: string) => ({ status, text: JSON.stringify({ error }) });
  const { client } = world.owner;
  const cases: [string, Promise<RestAnswer>, { status: number; text: string }][] = [
    ['nobody', anonymous.post(path(flag.id), ''), refused(401, 'Invalid token')],
    ['a project key', world.live.post(path(flag.id), {}), refused(401, 'Invalid token')],
    ['nobody, unknown flag', anonymous.post(path('flg_x'), {}), refused(401, 'Invalid token')],
    ['a viewer', viewer.client.post(path(flag.id), {}), refused(403, 'Permission denied')],
    ['an unknown id', client.post(path(`flg_${'0'.repeat(26)}`), {}), refused(404, 'flag not found')],
    ['a malformed id', client.post(path('%00'), {}), refused(404, 'flag not found')],
    ['a UUID', client.post(path(randomUUID()), {}), refused(404, 'flag not found')],
    ['the key instead of the id', client.post(path(flag.key), {}), refused(404, 'flag not found')],
    ['a stranger', stranger.post(path(flag.id), {}), refused(404, 'flag not found')],
  ];
  for (const [name, answer, expected] of cases) {
    const { status, text } = await answer;
    assert.equal({ status, text }, expected, name);
  }
});

resume('races halts without a gap or a fork in the history', async ({ test, world }) => {
  const flag = await buildFlag(world);
  const path = `/api/v1/switch/flags/${flag.id}/resume`;
  const calls: Promise<RestAnswer>[] = [];
  for (let round = 0; round < 160; round += 1) {
    calls.push(world.live.post(PATH, { flag_key: flag.key, reason: `round ${round}` }));
    calls.push(world.owner.client.post(path, {}));
    if (calls.length % 20 === 0) await calls[calls.length - 3];
  }
  const answers = await Promise.all(calls);
  assert.ok(answers.every(({ status }) => status === 200));
  const versions = await versionsOf(test, flag.id);
  assert.equal(
    versions.map(({ version_number }) => version_number),
    versions.map((_, index) => index + 1),
  );
  versions.slice(1).forEach(({ action }, index) => {
    assert.is(action, index % 2 === 0 ? 'halted' : 'resumed');
  });
  assert.ok(versions.length > 8, `${versions.length} versions`);
  const kinds = (await eventsOf(test, flag.id)).map(({ kind }) => kind.replace('switch.flag.', ''));
  assert.is(kinds.length, versions.length);
  const final = flagOf(await world.owner.client.post(path, {}));
  assert.ok(final.current_version === versions.length || final.current_version === versions.length + 1);
});

halt.run();
resume.run();
