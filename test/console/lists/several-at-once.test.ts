import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildProject, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey, editSurvey } from '../../support/factories/survey-factory.js';
import { until } from '../../support/until.js';
import { inConsole, WITH_RECEIVERS } from '../console-place.js';

const several = suite('console: several rows of a list at once, and lists that are narrowed or read on');
const here = inConsole(several, WITH_RECEIVERS);

/** Keys or names of everything in use, as listed by the schema. */
async function inUse({ owner, projectId }: World): Promise<{ flags: string[]; items: string[]; surveys: string[] }> {
  const { flags, configItems, surveys } = await owner.client.graphql<
    Record<'flags' | 'configItems' | 'surveys', { nodes: { key?: string; name?: string; status?: string }[] }>
  >(
    `query($id: ID!) {
      flags(projectId: $id, environment: live) { nodes { key } }
      configItems(projectId: $id, environment: live) { nodes { key } }
      surveys(projectId: $id) { nodes { name status } }
    }`,
    { id: projectId },
  );
  const named = (nodes: { key?: string; name?: string }[]) => nodes.map(({ key, name }) => key ?? name ?? '').sort();
  return {
    flags: named(flags.nodes),
    items: named(configItems.nodes),
    surveys: named(surveys.nodes.filter(({ status }) => status !== 'archived')),
  };
}

async function choose(page: Page, names: readonly string[]): Promise<void> {
  for (const name of names) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
}

async function archive(page: Page, button: string, title: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog', { name: title }).getByRole('button', { name: button }).click();
}

/** Runs a mutation `count` times, twenty at a time, and returns the ids of what it created. */
async function makeMany(count: number, mutation: (at: number) => string): Promise<string[]> {
  const ids: string[] = [];
  for (let from = 0; from < count; from += 20) {
    const some = Array.from({ length: Math.min(20, count - from) }, (_, at) => `m${at}: ${mutation(from + at)} { id }`);
    const made = await here.world.owner.client.graphql<Record<string, { id: string }>>(
      `mutation { ${some.join(' ')} }`,
    );
    ids.push(...Object.values(made).map(({ id }) => id));
  }
  return ids;
}

const makeBoard = async ({ projectId }: World): Promise<string> => {
  const [id = ''] = await makeMany(1, () => `createBoard(input: { projectId: "${projectId}", name: "Board" })`);
  return id;
};

if (hasChromium()) {
  several('flags are archived, one that another needs stays selected, and Undo restores them', async () => {
    const project = await buildProject(here.world);
    await buildFlag(project, { key: 'needed' });
    for (const key of ['needing', 'second'])
      await buildFlag(project, { key, prerequisites: [{ key: 'needed', variants: ['on'] }] });
    await buildFlag(project, { key: 'kept' });
    const { page, faults, close } = await here.openTab();
    await page.goto(`/p/${project.projectId}/live/flags`);
    await choose(page, ['needed', 'needing', 'second']);
    await archive(page, 'Archive 3', 'Archive 3 flags?');
    await page.getByText('2 of 3 done. Other flags depend on it').waitFor();
    assert.ok(await page.getByRole('checkbox', { name: 'Select needed' }).isChecked());
    assert.equal((await inUse(project)).flags, ['kept', 'needed']);
    await archive(page, 'Archive 1', 'Archive 1 flag?');
    await page.getByText('1 flag archived.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('it is back', async () => (await inUse(project)).flags.includes('needed'));
    for (const key of ['needing', 'second'])
      await buildFlag(project, { key: `${key}.2`, prerequisites: [{ key: 'needed', variants: ['on'] }] });
    await choose(page, ['needing.2', 'second.2', 'needed']);
    await archive(page, 'Archive 3', 'Archive 3 flags?');
    await page.getByText('3 flags archived.').waitFor();
    assert.equal((await inUse(project)).flags, ['kept']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('all are back', async () => (await inUse(project)).flags.length === 4);
    assert.equal(faults, []);
    await close();
  });

  several('Undo of resolving several issues restores each to its state, including an ignored one', async () => {
    const project = await buildProject(here.world);
    const { owner, projectId } = project;
    for (const value of ['one broke', 'another broke']) {
      const frames = [{ function: value, file: '/shop.js', line: 1, in_app: true }];
      const exception = { type: 'Error', value, frames };
      const event = { event_id: randomUUID(), platform: 'javascript', exception };
      assert.ok((await project.live.post('/api/catch/events', event)).status < 300);
    }
    const stored = async () => {
      const { crashIssues } = await owner.client.graphql<{
        crashIssues: { nodes: { id: string; status: string; ignoredUntilCount: string | null }[] };
      }>('query($id: ID!) { crashIssues(projectId: $id) { nodes { id status ignoredUntilCount } } }', {
        id: projectId,
      });
      return crashIssues.nodes;
    };
    const ids = await until('two issues', async () => {
      const nodes = await stored();
      return nodes.length === 2 && nodes.map(({ id }) => id);
    });
    for (const [at, id] of ids.entries())
      await owner.client.graphql('mutation($i: IgnoreCrashIssueInput!) { ignoreCrashIssue(input: $i) { id } }', {
        i: { id, events: at === 0 ? 10 : 100 },
      });
    const before = await stored();
    const { page, faults, close } = await here.openTab({ user: owner });
    await page.goto(`/p/${projectId}/live/crashes?show=ignored`);
    await choose(page, ['Error: one broke', 'Error: another broke']);
    await page.getByRole('button', { name: 'Resolve 2' }).click();
    await page.getByText('2 resolved. They reopen if they happen again.').waitFor();
    assert.equal(
      (await stored()).map(({ status }) => status),
      ['resolved', 'resolved'],
    );
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('both are open', async () => (await stored()).every(({ status }) => status === 'open'));
    await until('both are ignored', async () => JSON.stringify(await stored()) === JSON.stringify(before));
    assert.equal(faults, []);
    await close();
  });

  several('keys are revoked after showing when each was last used; unselected ones stay', async () => {
    const { owner, projectId } = await buildProject(here.world);
    for (const name of ['first', 'second', 'third'])
      await owner.client.graphql('mutation($i: CreateApiKeyInput!) { createApiKey(input: $i) { secret } }', {
        i: { projectId, environment: 'live', name },
      });
    const { page, faults, close } = await here.openTab({ user: owner });
    await page.goto(`/p/${projectId}/live/settings?tab=keys`);
    await choose(page, ['the live key first', 'the live key third']);
    await page.getByRole('button', { name: 'Revoke 2' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke 2 keys?' });
    for (const name of ['first', 'third']) await question.getByText(`the live key ${name}: never used`).waitFor();
    await question.getByRole('button', { name: 'Revoke 2' }).click();
    await page.getByText('2 keys revoked.').waitFor();
    await page.getByRole('row', { name: /^first/ }).waitFor({ state: 'hidden' });
    const { apiKeys } = await owner.client.graphql<{ apiKeys: { nodes: { name: string }[] } }>(
      'query($id: ID!) { apiKeys(projectId: $id, isRevoked: false) { nodes { name } } }',
      { id: projectId },
    );
    assert.equal(
      apiKeys.nodes.map(({ name }) => name).filter((name) => ['first', 'second', 'third'].includes(name)),
      ['second'],
    );
    assert.equal(faults, []);
    await close();
  });

  several('config items and surveys are archived, and the list of archived ones has nothing to select', async () => {
    const project = await buildProject(here.world);
    for (const key of ['first', 'second', 'third']) await buildConfigItem(project, { key });
    const fourth = await buildConfigItem(project, { key: 'fourth' });
    const surveys = [await buildSurvey(project), await buildSurvey(project)];
    const { page, faults, goWithin, close } = await here.openTab();
    await page.goto(`/p/${project.projectId}/live/config`);
    await choose(page, ['first', 'third', 'fourth']);
    await here.world.owner.client.graphql('mutation($id: ID!) { archiveConfigItem(input: { id: $id }) { id } }', {
      id: fourth.id,
    });
    await page.getByRole('button', { name: 'Archive 2' }).waitFor();
    await archive(page, 'Archive 2', 'Archive 2 items?');
    await page.getByText('2 items archived.').waitFor();
    assert.equal((await inUse(project)).items, ['second']);
    await page.goto(`/p/${project.projectId}/live/config?show=archived`);
    await page.getByRole('table').getByRole('link', { name: 'third' }).waitFor();
    assert.is(await page.getByRole('checkbox', { name: /^Select/ }).count(), 0);
    await goWithin(`/p/${project.projectId}/live/surveys`);
    const boxes = page.getByRole('checkbox', { name: /^Select/ });
    await boxes.first().waitFor();
    assert.is(await boxes.count(), surveys.length);
    for (const box of await boxes.all()) await box.check();
    await archive(page, 'Archive 2', 'Archive 2 surveys?');
    await page.getByText('2 surveys archived.').waitFor();
    assert.equal((await inUse(project)).surveys, []);
    await page.getByRole('status').filter({ hasText: '2 surveys archived.' }).getByText('Undo').click();
    await page.getByText('Published', { exact: true }).nth(1).waitFor();
    assert.is(await page.getByRole('cell', { name: 'Custom', exact: true }).count(), 2);
    assert.is((await inUse(project)).surveys.length, 2);
    assert.equal(faults, []);
    await close();
  });

  several('tickets are searched, moved together on a phone by keyboard, and moved back by Undo', async () => {
    const boardId = await makeBoard(here.world);
    const titles = ['Call Ada', 'Call Bob', 'Write to Eve'];
    await makeMany(3, (at) => `createTicket(input: { boardId: "${boardId}", title: "${titles[at]}" })`);
    const { page, faults, close } = await here.openTab({ width: 390 });
    await page.goto(`/p/${here.world.projectId}/live/boards/${boardId}`);
    const lane = (name: string) => page.getByRole('region', { name, exact: true });
    const untilIn = (name: string, expected: string) =>
      until(`${expected} in ${name}`, async () => {
        const shown = await lane(name).locator('.ticket-title').allInnerTexts();
        return shown.sort().join() === expected;
      });
    await untilIn('Open', 'Call Ada,Call Bob,Write to Eve');
    await page.getByLabel('Search tickets').fill('CALL');
    await untilIn('Open', 'Call Ada,Call Bob');
    await lane('Done').getByText('No matches').waitFor();
    for (const name of ['Call Ada', 'Call Bob'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).press('Space');
    await lane('Open').getByRole('button', { name: 'Move 2 to In progress' }).press('Enter');
    await untilIn('In progress', 'Call Ada,Call Bob');
    await until('one of them has the focus', () =>
      lane('In progress').evaluate((region) => region.querySelector('.ticket-title:focus') !== null),
    );
    await page.getByText('2 tickets moved to In progress.').last().waitFor();
    assert.is(await page.getByRole('button', { name: /^Move \d+ to/ }).count(), 0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await untilIn('Open', 'Call Ada,Call Bob');
    await untilIn('In progress', '');
    await page.getByRole('checkbox', { name: 'Select Call Ada' }).check();
    await page.getByLabel('Search tickets').fill('');
    await untilIn('Open', 'Call Ada,Call Bob,Write to Eve');
    assert.is(
      await page.getByRole('checkbox', { checked: true }).count(),
      0,
      'a ticket out of sight is not moved along',
    );
    assert.equal(faults, []);
    await close();
  });

  several('rules load page by page, and a select finds by name what is not among its first hundred', async () => {
    const { projectId } = await buildProject(here.world);
    const boardId = await makeBoard({ ...here.world, projectId });
    const [surveyId] = await makeMany(
      101,
      (at) => `createSurvey(input: { projectId: "${projectId}", name: "survey ${at}" })`,
    );
    const ruleOf = (at: number) => `boardId: "${boardId}", surveyId: "${surveyId}", comparison: eq, score: ${at}`;
    await makeMany(51, (at) => `createTriageRule(input: { ${ruleOf(at)} })`);
    await makeMany(101, (at) => `createDistribution(input: { surveyId: "${surveyId}", name: "way ${at}" })`);
    const { page, faults, goWithin, close } = await here.openTab();
    await page.goto(`/p/${projectId}/live/boards/${boardId}`);
    const rules = page.getByRole('region', { name: 'Tickets from surveys' });
    const scores = rules.getByLabel('Score for survey 0', { exact: true });
    await scores.first().waitFor();
    assert.is(await scores.count(), 50);
    await rules.getByRole('button', { name: 'Load more rules' }).click();
    await until('all of them are there', async () => (await scores.count()) === 51);
    assert.is(await scores.last().inputValue(), '50');
    await rules.getByRole('combobox', { name: 'Responses to' }).fill('survey 100');
    await page.getByRole('option', { name: 'survey 100', exact: true }).click();
    await rules.getByRole('button', { name: 'Create rule' }).click();
    await rules.getByLabel('Score for survey 100', { exact: true }).waitFor();
    await goWithin(`/p/${projectId}/live/surveys/${surveyId}?tab=responses`);
    const ways = page.getByRole('combobox', { name: 'Distribution' });
    await ways.fill('way 0');
    await page.getByRole('option', { name: 'way 0', exact: true }).click();
    await page.getByText('No matching responses in live.').waitFor();
    await page.reload();
    await until('it is named', async () => (await ways.inputValue()) === 'way 0');
    assert.equal(faults, []);
    await close();
  });

  several('results and responses are limited to the days, scores and versions in the address', async () => {
    const project = await buildProject(here.world);
    const { id } = await buildSurvey(project, { questions: [{ id: 'nps', kind: 'nps', prompt: 'How likely?' }] });
    const answer = async (nps: number, day: string) => {
      const response = { survey_id: id, answers: { nps }, submitted_at: `${day}T23:59:59.999Z` };
      const { status, text } = await project.live.post('/api/pulse/responses', response);
      assert.ok(status < 300, text);
    };
    await answer(2, '2024-03-01');
    const version = await editSurvey(project, { id, description: 'asked again' });
    await answer(7, '2024-03-02');
    await answer(9, '2024-03-03');
    const { page, faults, close } = await here.openTab();
    await page.goto(`/p/${project.projectId}/live/surveys/${id}`);
    const average = (value: string) =>
      page.locator('.figure', { hasText: 'Average' }).getByText(value, { exact: true }).waitFor();
    await average('6.00');
    await page.getByLabel('From (UTC)').fill('2024-03-02');
    await average('8.00');
    await page.getByLabel('To', { exact: true }).fill('2024-03-02');
    await average('7.00');
    await page.reload();
    await average('7.00');
    await page.getByLabel('From (UTC)').fill('2024-03-04');
    await page.getByLabel('To', { exact: true }).fill('');
    await page.getByText('No responses in live on these days.').waitFor();
    await answer(6, '0001-01-01');
    await page.goto(`/p/${project.projectId}/live/surveys/${id}?from=0002-03-01`);
    await average('6.00');
    await page.getByText('3 of 4 responses, last 366 days').waitFor();
    await page.getByRole('img', { name: 'Responses: 3 in total, at most 1' }).waitFor();
    const untilShown = (expected: string) =>
      until(`scores ${expected}`, async () => {
        const shown = await page.locator('.frame').allInnerTexts();
        return shown.map((text) => /score (\d+)/.exec(text)?.[1]).join() === expected;
      });
    await page.goto(`/p/${project.projectId}/live/surveys/${id}?tab=responses&from=2024-03-01&to=2024-03-02&least=3`);
    await untilShown('7');
    await page.getByLabel('To', { exact: true }).fill('');
    await untilShown('9,7');
    await page.getByLabel('Score to').fill('8');
    await untilShown('7');
    await page.getByLabel('Score from').fill('');
    await untilShown('7,2');
    await page.getByLabel('Version').fill(String(version));
    await untilShown('7');
    await page.getByLabel('Version').fill(String(version + 1));
    await page.getByText('No matching responses in live.').waitFor();
    await page.goto(`/p/${project.projectId}/live/surveys/${id}?tab=responses&from=soon&least=few&version=-`);
    await untilShown('6,9,7,2');
    assert.equal(faults, []);
    await close();
  });
}

several('without a browser: everything in use is listed', async () => {
  assert.equal(await inUse(here.world), { flags: [], items: [], surveys: [] });
});

several.run();
