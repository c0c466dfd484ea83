import { randomUUID } from 'node:crypto';
import { buildCohort } from '../support/factories/cohort-factory.js';
import { buildConfigItem } from '../support/factories/config-factory.js';
import type { World } from '../support/factories/factories.js';
import { buildFlag } from '../support/factories/flag-factory.js';
import { buildSurvey } from '../support/factories/survey-factory.js';
import { buildSubscription } from '../support/factories/webhook-factory.js';
import { SMALL_MAP, uploadSymbols } from '../support/symbols/symbol-client.js';
import { until } from '../support/until.js';

const KEY = 'W'.repeat(200);
/** As long as a name may be, with nowhere to break, in two directions, with something like a tag and surrogate pairs. */
const LONG_NAME = `<b>${'W'.repeat(120)}${'مرحبا'.repeat(10)}${'😀'.repeat(10)}</b>`;
const RELEASE = 'r'.repeat(1_000);
const FUNCTION = `${'Namespace::'.repeat(30)}${'f'.repeat(200)}`;
const ID = 'p'.repeat(400);

/**
 * Fills the world's project with one row of everything, each with the longest texts accepted, or with this name.
 *
 * @returns the address parameters by their names in the console's route table
 */
export async function fillWithLongTexts(world: World, NAME = LONG_NAME): Promise<Readonly<Record<string, string>>> {
  const { owner, live, projectId } = world;
  const run = async (name: string, input: object, answer = 'id'): Promise<{ id: string }> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}Input`;
    const { made } = await owner.client.graphql<{ made: { id: string } }>(
      `mutation($input: ${type}!) { made: ${name}(input: $input) { ${answer} } }`,
      { input },
    );
    return made;
  };
  await run('updateProject', { id: projectId, name: NAME.slice(0, 200) });
  const conditions = [{ attribute: `props.${KEY.slice(0, 100)}`, operator: 'in', values: [NAME, KEY] }];
  await buildCohort(world, { name: NAME, rules: [{ conditions }] });
  await buildFlag(world, { key: `${KEY.slice(1)}2` });
  const flag = await buildFlag(world, {
    key: KEY,
    kind: 'variant',
    description: NAME.repeat(5),
    variants: [
      { key: KEY, value: NAME },
      { key: 'other', value: KEY },
    ],
    defaultVariant: 'other',
    prerequisites: [{ key: `${KEY.slice(1)}2`, variants: ['on'] }],
    rules: [{ conditions, split: [KEY, 'other'].map((variant) => ({ variant, weight: 50 })) }],
  });
  const item = await buildConfigItem(world, {
    key: KEY,
    type: 'string',
    value: NAME.repeat(10),
    rules: [{ conditions, value: NAME }],
  });
  await run('haltFlag', { flagId: flag.id, reason: NAME });
  await run('updateConfigItem', { id: item.id, description: NAME, note: NAME });
  const survey = await buildSurvey(world, {
    name: NAME,
    description: NAME,
    questions: [
      { id: 'nps', kind: 'nps', prompt: NAME.repeat(5), required: true },
      { id: 'colour', kind: 'select', prompt: NAME, options: [NAME, KEY] },
      { id: 'why', kind: 'text', prompt: KEY },
    ],
  });
  const { id: boardId } = await run('createBoard', { projectId, name: NAME });
  await run('createTicket', { boardId, title: NAME, description: NAME.repeat(10) });
  await run('createTriageRule', { boardId, surveyId: survey.id, comparison: 'lt', score: 7 });
  await run('createAlertRule', { projectId, name: NAME, condition: 'issue_created' });
  await run('createSymbolSource', {
    projectId,
    name: NAME,
    layout: 'debuginfod',
    url: `https://symbols.example.com/${KEY}`,
  });
  await run('createRelease', { projectId, version: KEY, notes: NAME.repeat(5), commitSha: KEY });
  await run('createChangelogEntry', { projectId, title: NAME.repeat(2), body: NAME.repeat(5) });
  await run('createDeployToken', { projectId, name: NAME }, 'deployToken { id }');
  await run('createApiToken', { name: NAME, role: 'viewer' }, 'apiToken { id }');
  await run('createApiKey', { projectId, environment: 'live', name: NAME }, 'key { id }');
  await uploadSymbols(
    owner.client,
    { name: `${KEY}.js.map`, bytes: SMALL_MAP },
    { project_id: projectId, kind: 'js_sourcemap', release: RELEASE },
  );
  const { id: subscriptionId } = await buildSubscription(world, `https://${'w'.repeat(60)}.example.com/${KEY}`, ['*']);
  const operations = [
    { type: 'people', payload: { distinct_id: ID, properties: { [KEY]: NAME, email: `${KEY}@example.com` } } },
    { type: 'track', payload: { event_name: NAME, distinct_id: ID, properties: { [KEY]: NAME } } },
  ];
  await live.post('/api/v1/batch', { operations });
  await live.post('/api/pulse/responses', {
    survey_id: survey.id,
    respondent: { external_id: ID },
    answers: { nps: 3, colour: NAME, why: NAME.repeat(5) },
  });
  await live.post('/api/catch/profiles', {
    nodes: [
      { id: 1, callFrame: { functionName: FUNCTION }, children: [2] },
      { id: 2, callFrame: { functionName: FUNCTION } },
    ],
    samples: [2],
  });
  const frame = { function: FUNCTION, file: `https://shop.example/${KEY}.js`, line: 10, column: 5, in_app: true };
  await live.post('/api/catch/events', {
    events: [
      {
        event_id: randomUUID(),
        platform: 'javascript',
        release: RELEASE,
        distinct_id: ID,
        tags: { [KEY]: NAME },
        extra: { flags: { [KEY]: KEY }, [KEY]: NAME },
        exception: { type: KEY, value: NAME, frames: [frame, { ...frame, module: FUNCTION }] },
        breadcrumbs: [{ category: KEY, message: NAME.repeat(5) }],
      },
    ],
  });
  const $issueId = await until('the crash is an issue', async () => {
    const { crashIssues } = await owner.client.graphql<{ crashIssues: { nodes: { id: string }[] } }>(
      'query($projectId: ID!) { crashIssues(projectId: $projectId) { nodes { id } } }',
      { projectId },
    );
    return crashIssues.nodes[0]?.id;
  });
  return {
    $flagKey: flag.key,
    $itemKey: item.key,
    $issueId,
    $distinctId: ID,
    $subscriptionId: subscriptionId,
    $surveyId: survey.id,
    $boardId: boardId,
  };
}
