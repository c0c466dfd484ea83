import * as assert from 'uvu/assert';
import { refusalOf } from '../../support/client.js';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const flags = worldSuite('flags over GraphQL');

const FIELDS = `id key kind environment description defaultValue defaultVariant isArchived currentVersion haltedAt haltReason
  variants { key value } rules { conditions { attribute values } percentage variant }`;

interface FlagFields {
  id: string;
  defaultValue: string;
  defaultVariant: string;
  currentVersion: number;
  isArchived: boolean;
  haltReason: string | null;
  variants: { key: string; value: unknown }[];
}

async function change(world: World, name: string, input: object, client = world.owner.client): Promise<FlagFields> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`.replace(/^(Una|A)rchiveFlagInput$/, 'FlagIdInput');
  const data = await client.graphql<Record<string, FlagFields>>(
    `mutation($input: ${type}!) { ${name}(input: $input) { ${FIELDS} } }`,
    { input },
  );
  return data[name] as FlagFields;
}

flags('are created with variants, a default and rules, and read back', async ({ world }) => {
  const input = {
    projectId: world.projectId,
    environment: 'live',
    key: 'checkout.color',
    kind: 'variant',
    description: 'Color of the button',
    variants: [
      { key: 'blue', value: 'blue' },
      { key: 'wide', value: { width: 7 } },
    ],
    defaultValue: 'blue',
    rules: [
      { conditions: [{ attribute: 'props.plan', values: ['pro'] }], percentage: 12.5, variant: 'wide' },
      { variant: 'blue' },
    ],
  };
  const made = await change(world, 'createFlag', input);
  const { flag } = await world.owner.client.graphql<{ flag: object }>(
    `query($id: ID!) { flag(id: $id) { ${FIELDS} } }`,
    {
      id: made.id,
    },
  );
  assert.equal(flag, made);
  assert.equal(flag, {
    id: made.id,
    key: 'checkout.color',
    kind: 'variant',
    environment: 'live',
    description: 'Color of the button',
    defaultValue: 'blue',
    defaultVariant: 'blue',
    isArchived: false,
    currentVersion: 1,
    haltedAt: null,
    haltReason: null,
    variants: input.variants,
    rules: [input.rules[0], { conditions: [], percentage: 100, variant: 'blue' }],
  });
});

flags('keep their default when variants are replaced, and refuse a change that would remove it', async ({ world }) => {
  const { id } = await buildFlag(world);
  const variants = [{ key: 'on', value: true }];
  const refusal = await refusalOf(change(world, 'updateFlag', { flagId: id, variants }));
  assert.is(refusal.code, 'INVALID_FLAG');
  assert.match(refusal.message, /defaultVariant/);
  const kept = [{ key: 'new', value: false }, { key: 'off', value: false }, ...variants];
  assert.is((await change(world, 'updateFlag', { flagId: id, variants: kept })).defaultVariant, 'off');
  const named = await change(world, 'updateFlag', { flagId: id, variants, defaultVariant: 'on' });
  assert.is(named.defaultVariant, 'on');
});

flags('append a version if and only if what they serve changes', async ({ world }) => {
  const { id } = await buildFlag(world);
  assert.is((await change(world, 'updateFlag', { flagId: id, description: 'new' })).currentVersion, 1);
  const changed = await change(world, 'updateFlag', {
    flagId: id,
    rules: [{ variant: 'on', percentage: 5 }],
    note: 'slowly',
  });
  assert.is(changed.currentVersion, 2);
  assert.is(changed.defaultVariant, 'off');
  const turned = await change(world, 'updateFlag', { flagId: id, defaultValue: 'true' });
  assert.equal([turned.defaultVariant, turned.defaultValue, turned.currentVersion], ['on', 'true', 3]);
  const refusal = await refusalOf(
    change(world, 'updateFlag', { flagId: id, defaultValue: 'false', expectedVersion: 2 }),
  );
  assert.is(refusal.code, 'FLAG_VERSION_CONFLICT');
  assert.equal(refusal.errors[0]?.extensions.details, { expected: 2, current: 3 });
  const { flag } = await world.owner.client.graphql<{ flag: { versions: { nodes: object[] } } }>(
    'query($id: ID!) { flag(id: $id) { versions { nodes { versionNumber action note behaviour actorId } } } }',
    { id },
  );
  assert.equal(
    flag.versions.nodes.map((version) => ({ ...version, behaviour: undefined })),
    [
      { versionNumber: 3, action: 'changed', note: null, behaviour: undefined, actorId: world.owner.id },
      { versionNumber: 2, action: 'changed', note: 'slowly', behaviour: undefined, actorId: world.owner.id },
      { versionNumber: 1, action: 'created', note: null, behaviour: undefined, actorId: world.owner.id },
    ],
  );
});

flags('are halted, resumed, archived and restored, each once', async ({ world }) => {
  const { id } = await buildFlag(world);
  const halted = await change(world, 'haltFlag', {
    flagId: id,
    reason: 'too slow',
    evidenceUrl: 'https://example.com/1',
  });
  assert.equal([halted.haltReason, halted.currentVersion], ['too slow', 2]);
  assert.is((await change(world, 'haltFlag', { flagId: id, reason: 'again' })).haltReason, 'too slow');
  assert.is((await refusalOf(change(world, 'haltFlag', { flagId: id, reason: '' }))).code, 'HALT_REASON_REQUIRED');
  assert.is((await change(world, 'resumeFlag', { flagId: id })).currentVersion, 3);
  assert.is((await change(world, 'resumeFlag', { flagId: id })).currentVersion, 3);
  const archived = await change(world, 'archiveFlag', { flagId: id });
  assert.equal([archived.isArchived, archived.currentVersion], [true, 4]);
  assert.is((await change(world, 'archiveFlag', { flagId: id })).currentVersion, 4);
  assert.is((await refusalOf(change(world, 'updateFlag', { flagId: id, description: 'x' }))).code, 'FLAG_ARCHIVED');
  assert.is((await change(world, 'unarchiveFlag', { flagId: id })).currentVersion, 5);
  const { auditLog } = await world.owner.client.graphql<{ auditLog: { nodes: { kind: string }[] } }>(
    'query($id: String!) { auditLog(objectId: $id) { nodes { kind } } }',
    { id },
  );
  assert.equal(
    auditLog.nodes.map(({ kind }) => kind.replace('switch.flag.', '')),
    ['unarchived', 'archived', 'resumed', 'halted', 'created'],
  );
});

flags('are refused with the path of every problem', async ({ world }) => {
  const made = (input: object) =>
    refusalOf(
      change(world, 'createFlag', { projectId: world.projectId, environment: 'live', key: 'faulty', ...input }),
    );
  assert.is((await made({ key: 'a b' })).code, 'BAD_FLAG_KEY');
  assert.is((await made({ key: '' })).code, 'BAD_FLAG_KEY');
  const refusal = await made({
    variants: [{ key: 'on', value: 'maybe' }],
    rules: [{ variant: 'off', percentage: 101, conditions: [{ attribute: 'app_version', values: ['soon'] }] }],
  });
  assert.is(refusal.code, 'INVALID_FLAG');
  const details = refusal.errors[0]?.extensions.details as { problems: { path: string }[] } | undefined;
  assert.equal(
    details?.problems.map(({ path }) => path),
    ['variants[0].value', 'rules[0].variant', 'rules[0].percentage', 'rules[0].conditions[0].values[0]'],
  );
  await buildFlag(world, { key: 'taken' });
  assert.is((await made({ key: 'taken' })).code, 'FLAG_KEY_TAKEN');
  assert.is((await made({ projectId: 'x', key: 'free' })).code, 'PROJECT_NOT_FOUND');
});

flags('are listed page by page, by environment and prefix', async ({ test }) => {
  const world = await buildWorld(test);
  for (const key of ['a.1', 'a.2', 'a%3', 'b.1'].map((key) => key.replace('%', '_'))) await buildFlag(world, { key });
  await buildFlag(world, { key: 'a.9', environment: 'test' });
  const list = async (args: string) => {
    const { flags: page } = await world.owner.client.graphql<{
      flags: { nodes: { key: string }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    }>(`query($p: ID!) { flags(projectId: $p, ${args}) { nodes { key } pageInfo { hasNextPage endCursor } } }`, {
      p: world.projectId,
    });
    return page;
  };
  const first = await list('environment: live, first: 3');
  assert.equal(
    first.nodes.map(({ key }) => key),
    ['a.1', 'a.2', 'a_3'],
  );
  const second = await list(`environment: live, first: 3, after: "${first.pageInfo.endCursor}"`);
  assert.equal(
    second.nodes.map(({ key }) => key),
    ['b.1'],
  );
  assert.is((await list('keyPrefix: "a_"')).nodes.length, 1, 'no wildcard');
  assert.is((await list('first: 100')).nodes.length, 5, 'both environments');
});

flags('explain which rule decides and why the others do not', async ({ world }) => {
  const { id } = await buildFlag(world, {
    rules: [
      { conditions: [{ attribute: 'cohort', values: ['beta'] }], variant: 'on' },
      { conditions: [{ attribute: 'props.plan', values: ['pro'] }], variant: 'on' },
      { percentage: 0.001, variant: 'on' },
    ],
  });
  const explain = async (args: string) => {
    const { explainFlag } = await world.owner.client.graphql<{
      explainFlag: {
        decision: { value: boolean; reason: string; ruleIndex: number | null };
        rules: { because: string }[];
      };
    }>(
      `query($id: ID!) { explainFlag(flagId: $id, ${args}) {
        decision { value reason ruleIndex } bucket rules { because conditions { attribute holds } } } }`,
      { id },
    );
    return explainFlag;
  };
  const plain = await explain('distinctId: "user-1"');
  assert.equal(plain.decision, { value: false, reason: 'default', ruleIndex: null });
  assert.equal(
    plain.rules.map(({ because }) => because.replace(/\d{3,}/, 'n')),
    ['cohort matches none of its values', 'props.plan matches none of its values', 'bucket n is outside 0.001 %'],
  );
  assert.equal((await explain('distinctId: "u", cohorts: ["beta"]')).decision, {
    value: true,
    reason: 'rule',
    ruleIndex: 0,
  });
  assert.is((await explain('distinctId: "u", properties: {plan: "pro"}')).decision.ruleIndex, 1);
});

flags.run();
