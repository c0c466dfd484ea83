import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { ProjectEnvironment } from '../../../src/kernel/actor.js';
import type { DecisionCaller } from '../../../src/modules/handshake/answer.js';
import { databaseSources } from '../../../src/modules/handshake/database-sources.js';
import { DECISION_MODULES } from '../../../src/modules/handshake/decision-modules.js';
import { type Answer, HandshakeService } from '../../../src/modules/handshake/handshake.service.js';
import { ServedDecisions } from '../../../src/modules/handshake/served-decisions.js';
import { SnapshotCache } from '../../../src/modules/handshake/snapshot-cache.js';
import { heaviestShare } from '../../../src/targeting/rules/complete-rule.js';
import type { Rule } from '../../../src/targeting/rules/rule.js';
import { GraphqlRefusal, type RestAnswer } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildWorld, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { appSuite } from '../../support/factories/world-suite.js';
import type { TestApp } from '../../support/test-app.js';
import { anyRules } from '../../targeting/generated-rules.js';
import { plainDecisions } from './plain-decisions.js';

const SEED = 18;
const STEPS = 50;

const x = appSuite<{ world: World }>('decisions from memory');

/** The text of an OpenFeature answer without its stream, whose ticket differs every time. */
function withoutStreams(answer: object): string {
  return JSON.stringify({ ...answer, eventStreams: undefined });
}

x.before(async (context) => {
  context.test.clock.set('2026-11-22T12:00:00Z');
  context.world = await buildWorld(context.test);
});

const id = fc.constantFrom('ann', 'bob', 'cleo', 'dora', 'pro', 'é✓');
const scalar = fc.constantFrom('pro', 'free', 'beta', '42', '', 42, 5.5, true, null);
const json = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 2 }),
  fc.record({ b: scalar, c: fc.record({ d: scalar }) }),
);
const properties = fc.dictionary(
  fc.constantFrom('a', 'a.b', 'plan', 'country', 'release', 'company', 'unnamed'),
  json,
  {
    maxKeys: 4,
  },
);
const predicate = fc.constantFrom(
  'props.plan = "pro"',
  'OR(props.a = "42", props.plan = "free")',
  'props.a.b = "true"',
);
const caller = fc.record({
  distinctId: fc.option(id, { freq: 6, nil: null }),
  appVersion: fc.constantFrom(null, '1.9.0', '2.0.0'),
  platform: fc.constantFrom(null, 'ios', 'pro'),
});

/** A change, and who asks afterwards. */
const step = fc.record({
  change: fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('people' as const), id, properties }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('alias' as const), id, other: id }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('split' as const), id }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('erase' as const), id }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cohort' as const), predicate }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('list' as const), ids: fc.uniqueArray(id) }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('ruled' as const), rules: anyRules }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('flag' as const), rules: anyRules }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('item' as const), rules: anyRules }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('halt' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('modules' as const), off: fc.subarray([...DECISION_MODULES]) }),
    },
  ),
  others: fc.array(caller, { minLength: 3, maxLength: 4 }),
});
type Change = (typeof step extends fc.Arbitrary<infer S> ? S : never)['change'];

x('equal fresh ones after any change, here and in a process that misses all messages', async ({ test, world }) => {
  const place: ProjectEnvironment = { projectId: world.projectId, environment: 'live' };
  const changer = await changerOf(world);
  const sources = databaseSources(test.app.pool);
  const told = new ServedDecisions(test.app.services.decisionCounter);
  const deaf = new HandshakeService(new SnapshotCache(sources, test.clock), sources, test.clock, told, 2 ** 20);
  const bodies = new Map<string, string>();
  const known = new Map<string, { etag: string; text: string }>();
  const counted = { 200: 0, 304: 0 };
  const tally = new Tally();
  for (const { change, others } of fc.sample(step, { seed: SEED, numRuns: STEPS })) {
    const callers = 'id' in change ? [{ distinctId: change.id }, ...others] : others;
    await changer(change);
    test.clock.advance(1_000);
    const decide = await plainDecisions(test.app.pool, place);
    for (const each of callers) {
      const request = JSON.stringify(each);
      const plain = await decide(whole(each), test.clock.now().getTime());
      const last = known.get(request);
      const answer = await ask(world, each, last?.etag);
      counted[answer.status as 200 | 304] += 1;
      const text = answer.status === 304 ? (last?.text as string) : answer.text;
      assert.equal(withoutTags(text), plain.handshake, `${request} after ${JSON.stringify(change)}`);
      const etag = answer.headers.get('etag') ?? '';
      if (last && last.text === text) assert.is(answer.status, 304, 'an unchanged answer');
      assert.is(bodies.get(etag) ?? text, text, 'one tag, one answer');
      bodies.set(etag, text);
      tally.handshake(text, 2);
      known.set(request, { etag, text });
      const again = await ask(world, each, null);
      assert.equal([again.text, again.headers.get('etag')], [text, etag]);
      if (!(plain.handshake as Switched).modules.switch.enabled) continue;
      const ofrep = await world.live.post('/ofrep/v1/evaluate/flags', { context: contextOf(each) });
      const evaluations = withoutStreams(ofrep.body as object);
      assert.equal(evaluations, JSON.stringify(plain.ofrep));
      tally.ofrep(evaluations);
    }
    test.clock.advance(4_000);
    for (const each of callers) {
      const mine = await ask(world, each, null);
      const theirs = await decided(deaf, place, whole(each));
      assert.equal([theirs.body.toString(), theirs.etag], [mine.text, mine.headers.get('etag')]);
      tally.handshake(mine.text, 2);
    }
  }
  await test.app.services.decisionCounter.flush();
  assert.equal(await storedCounts(test, world.projectId), [...tally.counts].sort(), 'what was served is counted');
  assert.ok(counted[200] > 100 && counted[304] > 10, JSON.stringify(counted));
});

/** How often each variant and item was served, according to the answers. */
class Tally {
  readonly counts = new Map<string, number>();

  handshake(text: string, times: number): void {
    const { modules } = JSON.parse(text) as Answered;
    for (const [key, { variant }] of Object.entries(modules.switch.flags)) this.add(`${key} ${variant}`, times);
    for (const [key, { reason }] of Object.entries(modules.config.values)) this.add(`${key} ${reason}`, times);
  }

  ofrep(text: string): void {
    const { flags } = JSON.parse(text) as { flags: { key: string; variant?: string }[] };
    for (const { key, variant } of flags) if (variant !== undefined) this.add(`${key} ${variant}`, 1);
  }

  private add(told: string, times: number): void {
    this.counts.set(told, (this.counts.get(told) ?? 0) + times);
  }
}

interface Answered {
  modules: {
    switch: { flags: Record<string, { variant: string }> };
    config: { values: Record<string, { reason: string }> };
  };
}

/** The stored counts, in the format of {@link Tally}. */
async function storedCounts({ app }: TestApp, projectId: string): Promise<[string, number][]> {
  const { rows } = await app.pool.query<{ told: string; count: number }>(
    `select key || ' ' || outcome as told, sum(count)::int as count
       from (select id, key, null as item from flag where project_id = $1
              union all select id::text, key, id from config_item where project_id = $1) o
       join lateral (select case when item is null or outcome = 'default' then outcome else 'rule' end as outcome, count
                       from decision_usage where object_id = o.id) u on true
      group by 1`,
    [projectId],
  );
  return rows.map(({ told, count }): [string, number] => [told, count]).sort();
}

interface Switched {
  modules: { switch: { enabled: boolean } };
}

function whole(caller: Partial<DecisionCaller>): DecisionCaller {
  return { distinctId: null, appVersion: null, platform: null, osVersion: null, locale: null, ...caller };
}

function contextOf({ distinctId, appVersion, platform }: Partial<DecisionCaller>): object {
  return { targetingKey: distinctId, app_version: appVersion, platform };
}

function ask(
  world: World,
  { distinctId, appVersion, platform }: Partial<DecisionCaller>,
  etag: string | null | undefined,
): Promise<RestAnswer> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ distinct_id: distinctId, app_version: appVersion, platform })) {
    if (value) query.set(name, value);
  }
  return world.live.get(`/api/v1/handshake?${query}`, etag ? { 'if-none-match': etag } : {});
}

async function decided(service: HandshakeService, place: ProjectEnvironment, caller: DecisionCaller): Promise<Answer> {
  return service.handshake(
    place,
    JSON.stringify(caller),
    () => DECISION_MODULES,
    () => caller,
  );
}

function withoutTags(text: string): unknown {
  const answer = JSON.parse(text) as { modules: Record<string, { etag?: string }> };
  for (const module of Object.values(answer.modules)) delete module.etag;
  return answer;
}

/** Makes changes as users do, through both APIs. Impossible changes, such as splitting what was never merged, are refused. */
async function changerOf(world: World): Promise<(change: Change) => Promise<void>> {
  const { client } = world.owner;
  const [projectId, environment] = [world.projectId, 'live'];
  const run = (name: string, type: string, input: object) =>
    client.graphql(`mutation($i: ${type}!) { ${name}(input: $i) { __typename } }`, { i: input }).catch((error) => {
      if (
        !(error instanceof GraphqlRefusal) ||
        !/NO_MERGE|PERSON_NOT_FOUND|ALREADY/.test(error.errors[0]?.extensions.code ?? '')
      )
        throw error;
    });
  const variants = ['v0', 'v1', 'v2', 'v3'].map((key, at) => ({ key, value: `${at}` }));
  const flags = [
    await buildFlag(world, { key: 'one', kind: 'variant', variants, defaultVariant: 'v0', rules: [] }),
    await buildFlag(world, {
      key: '__proto__',
      kind: 'variant',
      variants,
      defaultVariant: 'v0',
      rules: [],
      prerequisites: [{ key: 'one', variants: ['v1', 'v2'] }],
    }),
  ];
  const items = [await buildConfigItem(world, { key: 'limit', type: 'int', value: '0' })];
  const cohorts = ['beta', 'pro', 'staff'];
  const made = new Map<string, string>();
  let turn = 0;
  const next = <T>(of: readonly T[]): T => {
    turn += 1;
    return of[turn % of.length] as T;
  };
  const defineCohort = async (definition: object) => {
    const name = next(cohorts);
    const known = made.get(name);
    if (known && turn % 4 === 0) {
      made.delete(name);
      await run('deleteCohort', 'IdInput', { id: known });
    } else if (known) await run('updateCohort', 'UpdateCohortInput', { id: known, ...definition });
    else {
      const { createCohort } = await client.graphql<{ createCohort: { id: string } }>(
        'mutation($i: CreateCohortInput!) { createCohort(input: $i) { id } }',
        { i: { projectId, name, ...definition } },
      );
      made.set(name, createCohort.id);
    }
  };
  return async (change) => {
    switch (change.kind) {
      case 'people':
        await world.live.post('/api/v1/people', { distinct_id: change.id, properties: change.properties });
        break;
      case 'alias':
        await world.live.post('/api/v1/alias', { alias_id: change.other, distinct_id: change.id });
        break;
      case 'split':
        await run('splitPerson', 'PersonInput', { projectId, environment, distinctId: change.id });
        break;
      case 'erase':
        await run('deletePerson', 'PersonInput', { projectId, environment, distinctId: change.id });
        break;
      case 'cohort':
        await defineCohort({ predicate: change.predicate });
        break;
      case 'list':
        await defineCohort({ distinctIds: change.ids });
        break;
      case 'ruled': {
        const rules = change.rules.map(({ split: _, conditions, ...rule }) => ({
          ...rule,
          conditions: conditions.filter(({ attribute, operator }) => attribute !== 'cohort' && operator !== 'cohort'),
        }));
        await defineCohort({ rules });
        break;
      }
      case 'flag': {
        const rules = change.rules.map((rule) => ({ ...draft(rule), ...outcome(rule, 'variant', (value) => value) }));
        await run('updateFlag', 'UpdateFlagInput', { flagId: next(flags).id, rules });
        break;
      }
      case 'item': {
        const rules = change.rules.map((rule) => ({
          ...draft(rule),
          ...outcome(rule, 'value', (value) => value.slice(1)),
        }));
        await run('updateConfigItem', 'UpdateConfigItemInput', { id: next(items).id, rules });
        break;
      }
      case 'halt':
        await world.live.post('/api/switch/halt-webhook', { flag_key: next(flags).key, reason: 'test' });
        break;
      case 'resume':
        await run('resumeFlag', 'ResumeFlagInput', { flagId: next(flags).id });
        break;
      case 'modules':
        await run('updateProject', 'UpdateProjectInput', { id: projectId, disabledModules: change.off });
        break;
    }
  };
}

function draft({ conditions, percentage, salt, bucketBy }: Rule): object {
  return { conditions, percentage, ...(salt ? { salt } : {}), ...(bucketBy ? { bucketBy } : {}) };
}

/** What a rule serves, under its owner's name for it. */
function outcome({ split }: Rule, name: 'variant' | 'value', text: (value: string) => string): object {
  if (!split) return { [name]: text('v1') };
  const shares = split.map(({ value, weight }) => ({ [name]: text(value), weight }));
  return heaviestShare(split) ? { split: shares } : {};
}

x.run();
