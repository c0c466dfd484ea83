import type { OperatorName, Scalar } from '../../../src/targeting/condition.js';
import { FLAG_RULES, makeKeys } from '../../harness/decision-project.js';
import { type LoadRequest, sendLoad } from '../../harness/load.js';
import { alternate, median } from '../../harness/rounds.js';
import { Client } from '../../support/client.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';
import { decidingAlone, propertiesOf } from './deciding-alone.js';

export const name = 'rules';

/** A key is limited to 500 requests a minute, so every measurement has its own keys. */
const KEYS = 250;
const FLAGS = 50;
const CONNECTIONS = 32;
const PERSONS = 100;

const condition = (attribute: string, operator: OperatorName, ...values: Scalar[]) => ({ attribute, operator, values });

/** Five rules with every kind of operator and values that no other flag uses. */
const fiveRules = (flag: number) => [
  {
    conditions: [condition('props.plan', 'in', 'team', `plan-${flag}`), condition('props.seats', 'gte', 50 + flag)],
    variant: 'on',
  },
  { conditions: [condition('props.email', 'ends_with', `@example${flag}.com`)], variant: 'on' },
  {
    conditions: [condition('app_version', 'semver', `>=${3 + flag}`), condition('locale', 'starts_with', 'fr')],
    variant: 'on',
  },
  {
    conditions: [condition('props.joined', 'after', `-${30 + flag}d`), condition('platform', 'in', 'web')],
    variant: 'on',
  },
  { conditions: [condition('props.team', 'matches', `^core${flag}-[0-9]+$`)], percentage: 20, variant: 'on' },
];
const oldRules = (flag: number) => FLAG_RULES[flag % FLAG_RULES.length] ?? [];

/**
 * 200s for a project with 50 flags of five rules each, compared with one of 50 flags with one rule at most. The context
 * of every request contains what the rules look at. Also the same rules without a server.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const server = await bench.startServer();
  const { tokens } = await server.firstRun();
  const owner = new Client(server.url).withToken(tokens.owner);
  const many = await project(owner, fiveRules);
  const few = await project(owner, oldRules);
  const pools = { many: await keysOf(owner, many, bench), few: await keysOf(owner, few, bench) };
  const measure = (pool: string[][], request: (key: string, index: number) => LoadRequest) => () =>
    sendLoad({
      url: server.url,
      requests: (pool.shift() ?? []).map(request),
      connections: CONNECTIONS,
      seconds: bench.seconds,
      warmUpSeconds: 0,
      expectedStatuses: [200],
    });
  const asking = (key: string, person: number | string): LoadRequest => ({
    path: '/api/v1/handshake',
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({
      distinct_id: `user-${person}`,
      app_version: '2.4.0',
      platform: 'ios',
      os_version: '17.1',
      locale: 'de-DE',
      context: propertiesOf(person),
    }),
  });
  const known = (key: string, index: number) => asking(key, index % PERSONS);
  const fresh = (key: string) => asking(key, '{{n}}');
  const results = await alternate(bench.rounds, {
    manyKnown: measure(pools.many, known),
    fewKnown: measure(pools.few, known),
    manyFresh: measure(pools.many, fresh),
    fewFresh: measure(pools.few, fresh),
  });
  const made = (label: string, side: keyof typeof results, against: keyof typeof results) =>
    row({
      path: `handshake 200, 50 flags × 5 rules, ${label}`,
      unit: 'requests/s',
      values: results[side].map(({ perSecond }) => perSecond),
      peer: { what: '50 flags, a rule at most', values: results[against].map(({ perSecond }) => perSecond) },
      more: { 'p99 ms': median(results[side].map(({ p99Ms }) => p99Ms)) },
    });
  const flags = Array.from({ length: FLAGS }, (_, flag) => flag);
  return [
    await decidingAlone(bench, { rich: flags.map(fiveRules), old: flags.map(oldRules) }),
    made(`${PERSONS} persons`, 'manyKnown', 'fewKnown'),
    made('every request another person', 'manyFresh', 'fewFresh'),
  ];
}

/** A new project with 50 flags and without limits. */
async function project(owner: Client, rulesOf: (index: number) => object[]): Promise<string> {
  const { createProject } = await owner.graphql<{ createProject: { id: string } }>(
    'mutation($i: CreateProjectInput!) { createProject(input: $i) { id } }',
    { i: { name: `bench ${Math.random()}` } },
  );
  const projectId = createProject.id;
  await owner.graphql('mutation($i: SetProjectPlanInput!) { setProjectPlan(input: $i) { projectId } }', {
    i: { projectId, plan: 'enterprise' },
  });
  for (let index = 0; index < FLAGS; index += 1) {
    await owner.graphql('mutation($i: CreateFlagInput!) { createFlag(input: $i) { id } }', {
      i: { projectId, environment: 'live', key: `flag-${index}`, rules: rulesOf(index) },
    });
  }
  return projectId;
}

/** Keys for two measurements in every round and in the warm-up. */
async function keysOf(owner: Client, projectId: string, { rounds }: BenchContext): Promise<string[][]> {
  const pools = (rounds + 2) * 2;
  const keys = await makeKeys(owner, projectId, KEYS * pools);
  return Array.from({ length: pools }, (_, pool) => keys.slice(pool * KEYS, (pool + 1) * KEYS));
}
