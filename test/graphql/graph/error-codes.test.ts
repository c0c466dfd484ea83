import { isEnumType } from 'graphql';
import * as assert from 'uvu/assert';
import { CALLER_ERRORS, INTERNAL_ERROR } from '../../../src/graphql/errors.js';
import { failureCodes } from '../../../src/kernel/errors.js';
import { buildWorld } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const codes = worldSuite('codes of failures');

codes('are all in the schema, and the schema has no others', ({ test }) => {
  const type = test.app.schema.getType('ErrorCode');
  assert.ok(isEnumType(type));
  const named = type.getValues().map(({ name }) => name);
  const known = [...failureCodes().map((code) => code.toUpperCase()), ...CALLER_ERRORS, INTERNAL_ERROR];
  assert.equal([...named].sort(), [...new Set(known)].sort());
  for (const code of ['FLAG_NOT_FOUND', 'PERMISSION_DENIED', 'QUERY_TOO_LARGE', 'SCHEMA_VIOLATION'])
    assert.ok(named.includes(code), code);
});

interface Answer {
  data: Record<string, unknown>;
  errors: { extensions: { code: string; fields?: { path: string; message: string }[] } }[];
}

codes('for invalid input come with the fields', async ({ world }) => {
  const { client } = world.owner;
  const ask = async (query: string) => (await client.post('/graphql', { query })).body as Answer;
  const size = await ask(`{ flags(projectId: "${world.projectId}", first: 0) { nodes { id } } }`);
  assert.equal(size.errors[0]?.extensions.code, 'INVALID_INPUT');
  assert.equal(
    size.errors[0]?.extensions.fields?.map(({ path }) => path),
    ['first'],
  );
  const flag = await ask(`mutation { createFlag(input: { projectId: "${world.projectId}", environment: live, key: "x",
    rules: [{ variant: "nowhere" }] }) { id } }`);
  assert.equal(flag.errors[0]?.extensions.code, 'INVALID_FLAG');
  assert.match(flag.errors[0]?.extensions.fields?.[0]?.path ?? '', /^rules/);
  const item =
    await ask(`mutation { createConfigItem(input: { projectId: "${world.projectId}", environment: live, key: "x", type: int,
    value: "1", jsonSchema: { minimum: 5 } }) { id } }`);
  assert.equal(item.errors[0]?.extensions.code, 'SCHEMA_VIOLATION');
  assert.is(item.errors[0]?.extensions.fields?.[0]?.path, 'value');
});

codes('for an invalid cursor come with its argument', async ({ world }) => {
  const ofAnId = Buffer.from('["x"]').toString('base64url');
  for (const list of ['flags', 'events', 'webhookDeliveries', 'crashIssues'])
    for (const [argument, cursor] of [
      ['after', 'nonsense'],
      ['before', 'nonsense'],
      ['before', ofAnId],
    ]) {
      const query = `{ project(id: "${world.projectId}") { ${list}(${argument}: "${cursor}") { nodes { id } } } }`;
      const { errors } = (await world.owner.client.post('/graphql', { query })).body as Answer;
      const [{ extensions }] = errors as [Answer['errors'][number]];
      const told = [extensions.code, extensions.fields?.map(({ path }) => path)];
      assert.equal(told, ['INVALID_CURSOR', [argument]], `${list} ${argument}`);
    }
});

const of = (type: string, field: string) => `mutation($i: ${type}!) { ${field}(input: $i) { id } }`;

/** Mutations with invalid input: the code, and the fields that must be named. */
const WRONG: [query: string, input: Record<string, unknown>, code: string, fields: string[]][] = [
  [of('CreateConfigItemInput', 'createConfigItem'), { key: 'bad key !!', type: 'int', value: '1' }, 'BAD_KEY', ['key']],
  [of('CreateFlagInput', 'createFlag'), { environment: 'live', key: '' }, 'BAD_FLAG_KEY', ['key']],
  [of('CreateBoardInput', 'createBoard'), { name: '' }, 'BAD_TITLE', ['name']],
  [of('CreateCohortInput', 'createCohort'), { name: 'c', predicate: 'props.' }, 'BAD_PREDICATE', ['predicate']],
  [of('CreateCohortInput', 'createCohort'), { name: 'c' }, 'BAD_COHORT', ['predicate']],
  [
    of('CreateWebhookSubscriptionInput', 'createWebhookSubscription').replace('{ id }', '{ secret }'),
    { url: 'ftp://x', patterns: ['*'] },
    'BAD_TARGET',
    ['url'],
  ],
  [
    of('CreateSurveyInput', 'createSurvey'),
    { name: 's', kind: 'nps', questions: [{ kind: 'nps', prompt: '' }] },
    'BAD_SURVEY',
    ['questions[0]'],
  ],
  [
    of('CreateAlertRuleInput', 'createAlertRule'),
    { name: 'r', condition: 'event_count', threshold: -1, windowMinutes: -4 },
    'BAD_ALERT_RULE',
    ['threshold', 'windowMinutes'],
  ],
  [
    of('DeleteRespondentInput', 'deleteRespondent').replace('{ id }', '{ __typename }'),
    {},
    'RESPONDENT_REQUIRED',
    ['userId'],
  ],
  ...(
    [
      ['ApiToken', { role: 'viewer' }],
      ['ApiKey', { environment: 'live' }],
      ['DeployToken', {}],
      ['AlertRule', { condition: 'event_count' }],
      ['SymbolSource', { layout: 'debuginfod', url: 'https://symbols.example.com' }],
      ['ChangelogEntry', {}],
    ] as const
  ).map(([type, input]): (typeof WRONG)[number] => {
    const name = type === 'ChangelogEntry' ? 'title' : 'name';
    const query = of(`Create${type}Input`, `create${type}`).replace('{ id }', '{ __typename }');
    return [query, { ...input, [name]: ' \u3000\n' }, 'INVALID_INPUT', [name]];
  }),
  [of('CreateFlagInput', 'createFlag'), { environment: 'live' }, 'BAD_USER_INPUT', ['key']],
  [
    of('CreateFlagInput', 'createFlag'),
    { environment: 'live', key: 'k', kind: 'variant', variants: [{ key: 'a', value: 'OVERFLOW' }] },
    'BAD_USER_INPUT',
    ['variants[0].value'],
  ],
  [of('CreateFlagInput', 'createFlag'), { environment: 'moon', key: 'k' }, 'BAD_USER_INPUT', ['environment']],
  [
    of('CreateFlagInput', 'createFlag'),
    { environment: 'live', key: 'k', rules: [{ variant: 'on' }, { variant: 7 }] },
    'BAD_USER_INPUT',
    ['rules[1].variant'],
  ],
  [
    of('CreateCohortInput', 'createCohort'),
    { name: 'c', members: { distinctIds: null } },
    'BAD_USER_INPUT',
    ['members.distinctIds'],
  ],
  [
    of('BeginSymbolUploadInput', 'beginSymbolUpload').replace('{ id }', '{ __typename }'),
    { fileName: 'a.map', symbolKind: 'js_sourcemap', sha256: '0'.repeat(64), sizeBytes: 0 },
    'INVALID_INPUT',
    ['sizeBytes'],
  ],
  [
    of('SetProjectPlanInput', 'setProjectPlan').replace('{ id }', '{ __typename }'),
    { plan: 'hobby', overrides: { events: -1 } },
    'NEGATIVE_LIMIT',
    ['overrides.events'],
  ],
];

codes('name the field, whichever way an input is wrong', async ({ world }) => {
  for (const [query, input, code, fields] of WRONG) {
    const variables = { i: { projectId: world.projectId, ...input } };
    const sent = JSON.stringify({ query, variables }).replace('"OVERFLOW"', '1e400');
    const { errors } = (await world.owner.client.post('/graphql', sent)).body as Answer;
    assert.equal([errors[0]?.extensions.code, errors[0]?.extensions.fields?.map(({ path }) => path)], [code, fields]);
  }
});

codes('name the place of a wrong variable, whatever its value contains', async ({ world }) => {
  const query = `query($i: ID!, $n: Int, $f: FlagFilter, $l: [Environment!]) {
    flags(projectId: $i, first: $n, filter: $f) { nodes { id } }
    others: flags(projectId: $i, filter: { environment: { in: $l } }) { nodes { id } }
  }`;
  const text = 'a; b at "i.c"; d';
  const variables = {
    i: {},
    n: text,
    f: { key: { in: ['x', { [text]: text }] }, kind: { eq: text }, [text.slice(0, 1)]: 1 },
    l: ['live', text],
  };
  const { errors } = (await world.owner.client.post('/graphql', { query, variables })).body as Answer;
  const told = errors.flatMap(({ extensions }) => extensions.fields ?? []);
  assert.equal(
    told.map(({ path }) => path),
    ['i', 'n', 'key.in[1]', 'kind.eq', 'a', 'l[1]'],
  );
  assert.ok(told.every(({ message }) => !/^Variable| at "/.test(message.replaceAll(text, ''))));
});

codes(
  'name the field of a halt without a reason, an overlong list, a variable without a value, a time and a member',
  async ({ world }) => {
    const { id } = await buildFlag(world);
    const ask = async (query: string) => (await world.owner.client.post('/graphql', { query })).body as Answer;
    const told = ({ errors }: Answer) => [
      errors[0]?.extensions.code,
      errors[0]?.extensions.fields?.map(({ path }) => path),
    ];
    const halt = await ask(`mutation { haltFlag(input: { flagId: "${id}", reason: "" }) { id } }`);
    assert.equal(told(halt), ['HALT_REASON_REQUIRED', ['reason']]);
    const ids = JSON.stringify(Array.from({ length: 1_001 }, () => id));
    assert.equal(told(await ask(`mutation { archiveFlags(input: { ids: ${ids} }) { id } }`)), [
      'INVALID_INPUT',
      ['ids'],
    ]);
    assert.equal(told(await ask('query($i: ID!) { flag(id: $i) { id } }')), ['BAD_USER_INPUT', ['i']]);
    const usage = await ask(`{ flag(id: "${id}") { usage(from: "2999-01-01T00:00:00Z") { total } } }`);
    assert.equal(told(usage), ['BAD_USAGE_TIME', ['from']]);
    const member = `{ email: "${world.owner.email}", role: viewer }`;
    const again = await ask(`mutation { addMember(input: ${member}) { member { id } } }`);
    assert.equal(told(again), ['MEMBER_EXISTS', ['email']]);
  },
);

codes('of a bulk change are reported per object, and the other objects are changed', async ({ test, world }) => {
  const other = await buildWorld(test);
  const [mine, foreign] = [await buildFlag(world), await buildFlag(other)];
  const query = `mutation($ids: [ID!]!) { archiveFlags(input: { ids: $ids }) { id object { isArchived } error { code message } } }`;
  const { archiveFlags } = await world.owner.client.graphql<{
    archiveFlags: { id: string; object: { isArchived: boolean } | null; error: { code: string } | null }[];
  }>(query, { ids: [mine.id, foreign.id, 'nothing', mine.id] });
  assert.equal(
    archiveFlags.map(({ id, object, error }) => [id, object?.isArchived, error?.code]),
    [
      [mine.id, true, undefined],
      [foreign.id, undefined, 'FLAG_NOT_FOUND'],
      ['nothing', undefined, 'FLAG_NOT_FOUND'],
    ],
  );
});

codes.run();
