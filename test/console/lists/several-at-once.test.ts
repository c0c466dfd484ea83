import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../../browser/chromium.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildProject, type World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { buildSurvey } from '../../support/factories/survey-factory.js';
import type { TestApp } from '../../support/test-app.js';
import { until } from '../../support/until.js';
import { inConsole, WITH_RECEIVERS } from '../console-place.js';
import { openTab } from '../open-tab.js';

const several = suite('console: several rows of a list at once');

let test: TestApp;
let world: World;
let browser: Browser;

inConsole(
  several,
  (place) => {
    ({ test, world, browser } = place);
  },
  WITH_RECEIVERS,
);

/** Keys or names of what is in use, as the lists of the schema have it. */
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

if (hasChromium()) {
  several('flags are archived, one that another needs stays selected, and Undo brings them back', async () => {
    const project = await buildProject(world);
    await buildFlag(project, { key: 'needed' });
    for (const key of ['needing', 'second'])
      await buildFlag(project, { key, prerequisites: [{ key: 'needed', variants: ['on'] }] });
    await buildFlag(project, { key: 'kept' });
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(`/p/${project.projectId}/live/flags`);
    await choose(page, ['needed', 'needing', 'second']);
    await archive(page, 'Archive 3', 'Archive 3 flags?');
    await page.getByText('2 of 3 done. Other flags ask for it').waitFor();
    assert.ok(await page.getByRole('checkbox', { name: 'Select needed' }).isChecked());
    assert.equal((await inUse(project)).flags, ['kept', 'needed']);
    await archive(page, 'Archive 1', 'Archive 1 flag?');
    await page.getByText('1 flag in the archive.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('it is back', async () => (await inUse(project)).flags.includes('needed'));
    for (const key of ['needing', 'second'])
      await buildFlag(project, { key: `${key}.2`, prerequisites: [{ key: 'needed', variants: ['on'] }] });
    await choose(page, ['needing.2', 'second.2', 'needed']);
    await archive(page, 'Archive 3', 'Archive 3 flags?');
    await page.getByText('3 flags in the archive.').waitFor();
    assert.equal((await inUse(project)).flags, ['kept']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await until('all are back', async () => (await inUse(project)).flags.length === 4);
    assert.equal(faults, []);
    await close();
  });

  several('of several issues that are resolved, Undo opens each as it was, an ignored one ignored', async () => {
    const project = await buildProject(world);
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
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: owner });
    await page.goto(`/p/${projectId}/live/crashes?show=ignored`);
    await choose(page, ['Error: one broke', 'Error: another broke']);
    await page.getByRole('button', { name: 'Resolve 2' }).click();
    await page.getByText('2 resolved; they come back if they happen again.').waitFor();
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

  several('keys are revoked after it is said when each was used, and those that are not selected stay', async () => {
    const { owner, projectId } = await buildProject(world);
    for (const name of ['first', 'second', 'third'])
      await owner.client.graphql('mutation($i: CreateApiKeyInput!) { createApiKey(input: $i) { secret } }', {
        i: { projectId, environment: 'live', name },
      });
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: owner });
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

  several('config items and surveys are archived, and the choice of the archived ones has none to select', async () => {
    const project = await buildProject(world);
    for (const key of ['first', 'second', 'third']) await buildConfigItem(project, { key });
    const fourth = await buildConfigItem(project, { key: 'fourth' });
    const surveys = [await buildSurvey(project), await buildSurvey(project)];
    const { page, faults, close } = await openTab(browser, test.baseUrl, { user: world.owner });
    await page.goto(`/p/${project.projectId}/live/config`);
    await choose(page, ['first', 'third', 'fourth']);
    await world.owner.client.graphql('mutation($id: ID!) { archiveConfigItem(input: { id: $id }) { id } }', {
      id: fourth.id,
    });
    await page.getByRole('button', { name: 'Archive 2' }).waitFor();
    await archive(page, 'Archive 2', 'Archive 2 items?');
    await page.getByText('2 items in the archive.').waitFor();
    assert.equal((await inUse(project)).items, ['second']);
    await page.goto(`/p/${project.projectId}/live/config?show=archived`);
    await page.getByRole('table').getByRole('link', { name: 'third' }).waitFor();
    assert.is(await page.getByRole('checkbox', { name: /^Select/ }).count(), 0);
    await page.goto(`/p/${project.projectId}/live/surveys`);
    const boxes = page.getByRole('checkbox', { name: /^Select/ });
    await boxes.first().waitFor();
    assert.is(await boxes.count(), surveys.length);
    for (const box of await boxes.all()) await box.check();
    await archive(page, 'Archive 2', 'Archive 2 surveys?');
    await page.getByText('2 surveys in the archive.').waitFor();
    assert.equal((await inUse(project)).surveys, []);
    assert.equal(faults, []);
    await close();
  });
}

several('what is in use is read where no browser is', async () => {
  assert.equal(await inUse(world), { flags: [], items: [], surveys: [] });
});

several.run();
