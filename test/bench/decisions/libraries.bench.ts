import { GrowthBookClient } from '@growthbook/growthbook';
import { Unleash } from 'unleash-client';
import { createQuarterdeck } from '../../../src/sdk/node/quarterdeck.js';
import { alternate } from '../../harness/rounds.js';
import { type BenchContext, type BenchRow, row } from '../bench.js';

export const name = 'libraries';

const PEOPLE = 1_000;
const AT_ONCE = 10_000;
const AT_LEAST = 1_000_000;
const NOWHERE = 'http://127.0.0.1:9';

/** One rule as each library writes it. */
interface Rule {
  readonly label: string;
  readonly ours: object[];
  readonly unleash: { name: string; parameters: Record<string, unknown>; constraints: object[] };
  readonly growthBook: object[];
  /** How many people to decide for in turn. */
  readonly people?: number;
  /**
   * Whether all libraries must decide the same for each person. If not, because each draws with its own hash, they must
   * decide the same for about as many people.
   */
  readonly isSameForEach: boolean;
}

const rollout = (percentage: number, constraints: object[] = []) => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(percentage), stickiness: 'userId', groupId: 'flag' },
  constraints,
});

const RULES: readonly Rule[] = [
  { label: 'no rule', ours: [], unleash: rollout(0), growthBook: [], isSameForEach: true },
  {
    label: 'an attribute in a list',
    ours: [{ conditions: [{ attribute: 'props.plan', operator: 'in', values: ['pro', 'team'] }], percentage: 100 }],
    unleash: rollout(100, [{ contextName: 'plan', operator: 'IN', values: ['pro', 'team'] }]),
    growthBook: [{ condition: { plan: { $in: ['pro', 'team'] } }, force: true }],
    isSameForEach: true,
  },
  {
    label: 'three conditions',
    ours: [
      {
        conditions: [
          { attribute: 'props.plan', operator: 'in', values: ['pro', 'team'] },
          { attribute: 'props.seats', operator: 'gte', values: [50] },
          { attribute: 'props.email', operator: 'ends_with', values: ['@example.com'] },
        ],
        percentage: 100,
      },
    ],
    unleash: rollout(100, [
      { contextName: 'plan', operator: 'IN', values: ['pro', 'team'] },
      { contextName: 'seats', operator: 'NUM_GTE', value: '50' },
      { contextName: 'email', operator: 'STR_ENDS_WITH', values: ['@example.com'] },
    ]),
    growthBook: [
      {
        condition: { plan: { $in: ['pro', 'team'] }, seats: { $gte: 50 }, email: { $regex: '@example\\.com$' } },
        force: true,
      },
    ],
    isSameForEach: true,
  },
  {
    label: 'half of all people',
    ours: [{ conditions: [], percentage: 50 }],
    unleash: rollout(50),
    growthBook: [{ coverage: 0.5, hashAttribute: 'id', force: true }],
    isSameForEach: false,
  },
  {
    label: 'half of more people than anything remembers',
    ours: [{ conditions: [], percentage: 50 }],
    unleash: rollout(50),
    growthBook: [{ coverage: 0.5, hashAttribute: 'id', force: true }],
    people: 200_000,
    isSameForEach: false,
  },
];

const person = (n: number) => ({
  plan: ['free', 'pro', 'team'][n % 3] as string,
  seats: n % 100,
  email: `person-${n}@${n % 2 ? 'example.com' : 'example.org'}`,
});

type Decide = (n: number) => boolean;
type Library = 'ours' | 'unleash' | 'growthBook';

/**
 * Evaluations per second of the Node library on one core, compared with Unleash and GrowthBook: the same rules and the
 * same thousand people, all in memory.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const rule of RULES) {
    const { libraries, close } = await open(rule);
    checkAlike(rule, libraries);
    const measure = (library: Library) => async () =>
      measured(libraries[library], bench.seconds, rule.people ?? PEOPLE);
    const results = await alternate(bench.rounds, {
      ours: measure('ours'),
      unleash: measure('unleash'),
      growthBook: measure('growthBook'),
    });
    const path = `flags decided in a process, ${rule.label}`;
    const [unit, values] = ['evaluations/s of a core', results.ours];
    rows.push(
      row({ path, unit, values, goal: { atLeast: AT_LEAST } }),
      row({ path, unit, values, peer: { what: 'unleash-client', values: results.unleash } }),
      row({ path, unit, values, peer: { what: 'GrowthBook', values: results.growthBook } }),
    );
    close();
  }
  return rows;
}

async function open({
  ours,
  unleash,
  growthBook,
  people: count = PEOPLE,
}: Rule): Promise<{ libraries: Record<Library, Decide>; close(): void }> {
  const people = Array.from({ length: count }, (_, n) => person(n));
  const library = createQuarterdeck({
    url: NOWHERE,
    key: 'none',
    fetch: false,
    captureErrors: false,
    flushOnExit: false,
    bootstrap: {
      flags: [
        {
          key: 'flag',
          version: 1,
          variants: [
            { key: 'on', value: true },
            { key: 'off', value: false },
          ],
          default_variant: 'off',
          rules: ours.map((rule) => ({ conditions: [], percentage: 100, ...rule, variant: 'on' })),
        },
      ],
      config: [],
    },
  });
  const contexts = people.map((properties, n) => ({ distinctId: `user-${n}`, properties, cohorts: [] }));

  const client = new Unleash({
    url: NOWHERE,
    appName: 'bench',
    disableMetrics: true,
    disableAutoStart: true,
    skipInstanceCountWarning: true,
    bootstrap: {
      data: [
        {
          name: 'flag',
          type: 'release',
          enabled: true,
          stale: false,
          impressionData: false,
          strategies: [unleash],
        } as never,
      ],
    },
    storageProvider: { set: async () => undefined, get: async () => undefined },
  });
  client.on('error', () => undefined).on('warn', () => undefined);
  const synchronized = new Promise<void>((resolve) => client.once('ready', () => resolve()));
  void client.start();
  await synchronized;
  const unleashContexts = people.map((properties, n) => ({ userId: `user-${n}`, properties }));

  const growth = new GrowthBookClient().initSync({
    payload: { features: { flag: { defaultValue: false, rules: growthBook } } },
  });
  const growthContexts = people.map((properties, n) => ({ attributes: { id: `user-${n}`, ...properties } }));

  return {
    libraries: {
      ours: (n) => library.flag('flag', false, contexts[n]),
      unleash: (n) => client.isEnabled('flag', unleashContexts[n]),
      growthBook: (n) => growth.isOn('flag', growthContexts[n] as never),
    },
    close: () => {
      client.destroy();
      growth.destroy();
      void library.close(0);
    },
  };
}

/** Comparing libraries that decide differently would mean nothing. */
function checkAlike({ label, isSameForEach }: Rule, libraries: Record<Library, Decide>): void {
  const decided = (library: Library) => Array.from({ length: PEOPLE }, (_, n) => libraries[library](n));
  const ours = decided('ours');
  const count = (values: boolean[]) => values.filter(Boolean).length;
  for (const other of ['unleash', 'growthBook'] as const) {
    const theirs = decided(other);
    const isAlike = isSameForEach
      ? ours.every((value, n) => value === theirs[n])
      : Math.abs(count(ours) - count(theirs)) < PEOPLE / 10;
    if (!isAlike) throw new Error(`${other} decides "${label}" otherwise: ${count(theirs)} instead of ${count(ours)}`);
  }
}

/** Decisions per second of CPU time, the only resource they need, over all people in turn. */
function measured(decide: Decide, seconds: number, people: number): number {
  const begun = process.cpuUsage();
  const spent = (): number => {
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1_000_000;
  };
  let [done, on] = [0, 0];
  while (spent() < seconds) {
    for (let n = done; n < done + AT_ONCE; n += 1) if (decide(n % people)) on += 1;
    done += AT_ONCE;
  }
  // Uses the result, so that the decisions cannot be optimized away.
  return (on >= 0 ? done : 0) / spent();
}
