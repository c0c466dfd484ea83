import type { Client } from '../support/client.js';
import type { UnleashStrategy } from './unleash.js';

const FLAGS = 50;

type FlagRules = { conditions?: { attribute: string; values: string[] }[]; percentage?: number; variant: string }[];

/** The rules, repeating every five flags: none, a rollout, a version, platforms with a rollout, a cohort. */
export const FLAG_RULES: FlagRules[] = [
  [],
  [{ percentage: 50, variant: 'on' }],
  [{ conditions: [{ attribute: 'app_version', values: ['>=2 <3'] }], variant: 'on' }],
  [{ conditions: [{ attribute: 'platform', values: ['ios', 'android'] }], percentage: 20, variant: 'on' }],
  [{ conditions: [{ attribute: 'cohort', values: ['beta'] }], variant: 'on' }],
];

/** The same rules in Unleash's format. */
const UNLEASH_RULES: UnleashStrategy[][] = [
  [],
  [{ rollout: 50, constraints: [] }],
  [
    {
      rollout: 100,
      constraints: [
        { contextName: 'appVersion', operator: 'SEMVER_GT', value: '1.999.0' },
        { contextName: 'appVersion', operator: 'SEMVER_LT', value: '3.0.0' },
      ],
    },
  ],
  [{ rollout: 20, constraints: [{ contextName: 'platform', operator: 'IN', values: ['ios', 'android'] }] }],
  [{ rollout: 100, constraints: [{ contextName: 'group', operator: 'IN', values: ['beta'] }] }],
];

/** The 50 flags of {@link fillProject} for Unleash. */
export function unleashFlags(): UnleashStrategy[][] {
  return Array.from({ length: FLAGS }, (_, index) => UNLEASH_RULES[index % UNLEASH_RULES.length] ?? []);
}

/** Names of the cohorts. Each contains the persons whose property `group` is that name. */
export const COHORTS = ['beta', 'pro', 'staff', 'north', 'south', 'east', 'west', 'early', 'late', 'trial'];

/** Fills a project with 50 flags, 50 config items and the given number of cohorts, and removes its limits. */
export async function fillProject(owner: Client, projectId: string, cohorts: number): Promise<void> {
  await owner.graphql('mutation($i: SetProjectPlanInput!) { setProjectPlan(input: $i) { projectId } }', {
    i: { projectId, plan: 'enterprise' },
  });
  for (const cohort of COHORTS.slice(0, cohorts)) {
    await owner.graphql('mutation($i: CreateCohortInput!) { createCohort(input: $i) { id } }', {
      i: { projectId, name: cohort, predicate: `props.group = "${cohort}"` },
    });
  }
  for (let index = 0; index < FLAGS; index += 1) {
    await owner.graphql('mutation($i: CreateFlagInput!) { createFlag(input: $i) { id } }', {
      i: { projectId, environment: 'live', key: `flag-${index}`, rules: FLAG_RULES[index % FLAG_RULES.length] },
    });
    await owner.graphql('mutation($i: CreateConfigItemInput!) { createConfigItem(input: $i) { id } }', {
      i: {
        projectId,
        environment: 'live',
        key: `item-${index}`,
        type: 'string',
        value: `the value of item ${index}`,
        ...(index % 5 === 0 ? { rule: { cohort: 'beta', value: 'another value' } } : {}),
      },
    });
  }
}

/** Creates several keys for a project; each is limited to 500 requests per minute. */
export async function makeKeys(owner: Client, projectId: string, count: number): Promise<string[]> {
  const keys: string[] = [];
  while (keys.length < count) {
    const made = await Promise.all(
      Array.from({ length: 20 }, () =>
        owner.graphql<{ createApiKey: { secret: string } }>(
          'mutation($i: CreateApiKeyInput!) { createApiKey(input: $i) { secret } }',
          { i: { projectId, environment: 'live' } },
        ),
      ),
    );
    keys.push(...made.map(({ createApiKey }) => createApiKey.secret));
  }
  return keys;
}
