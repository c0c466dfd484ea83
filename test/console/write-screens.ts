/**
 * `npm run screens`: takes the console screenshots in docs/screens, from a separate server with the demo project and a day
 * of made-up traffic, in Chromium, at desktop and phone width.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { HOUR_MS } from '../../src/kernel/values/durations.js';
import { launchChromium } from '../browser/chromium.js';
import { type FirstRun, startServerProcess } from '../harness/server-process.js';
import { until } from '../support/until.js';

const FOLDER = 'docs/screens';
const DEVICES = {
  desk: { viewport: { width: 1400, height: 900 } },
  phone: { viewport: { width: 375, height: 800 }, hasTouch: true, isMobile: true },
};
const HOURS = 14 * 24;
const OPERATIONS_A_BATCH = 500;
const PEOPLE = 40;
const NAMES = ['page viewed', 'page viewed', 'page viewed', 'item added', 'item added', 'order completed', 'signed up'];

interface Screen {
  name: string;
  /** Path below the project and its environment. */
  path: string;
  isDark?: boolean;
  prepare?: (page: Page) => Promise<unknown>;
}

const SCREENS: readonly Screen[] = [
  { name: 'overview', path: '' },
  { name: 'flags', path: '/flags' },
  { name: 'flag', path: '/flags/pricing.page' },
  {
    name: 'flag-halt',
    path: '/flags/new_checkout',
    prepare: (page) => page.getByRole('button', { name: 'Halt' }).click(),
  },
  { name: 'config', path: '/config/checkout.max_items' },
  { name: 'crashes', path: '/crashes', isDark: true },
  { name: 'events', path: '/events' },
  {
    name: 'surveys',
    path: '/surveys',
    prepare: async (page) => {
      await page.getByRole('link', { name: /recommend us/ }).click();
      await page.getByRole('tab', { name: 'Editor' }).click();
    },
  },
  { name: 'audit', path: '/audit', isDark: true },
  { name: 'settings', path: '/settings' },
];

const CRASHES = [
  { value: 'Cannot read properties of undefined (reading "total")', caller: 'total', times: 37 },
  { value: 'The cart is gone', caller: 'restore', times: 9 },
];

/** People, two weeks of events (more at noon than at night), and two kinds of crashes. */
async function fill(url: string, { api_keys }: FirstRun): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { 'x-api-key': api_keys.live, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  };
  const now = Date.now();
  const operations = Array.from({ length: HOURS }, (_, hour) => {
    const ago = HOURS - 1 - hour;
    const at = new Date(now - ago * HOUR_MS);
    const busy = Math.round(14 + 12 * Math.sin(((at.getUTCHours() - 6) / 12) * Math.PI));
    return Array.from({ length: busy }, (_, n) => ({
      type: 'track',
      payload: {
        event_name: NAMES[(n + ago) % NAMES.length],
        distinct_id: `user-${(n * 7 + ago) % PEOPLE}`,
        timestamp: new Date(at.getTime() - n * 1_000).toISOString(),
      },
    }));
  }).flat();
  const people = Array.from({ length: PEOPLE }, (_, person) => ({
    type: 'people',
    payload: { distinct_id: `user-${person}`, properties: { plan: ['free', 'pro', 'team'][person % 3] } },
  }));
  await post('/api/v1/batch', { operations: people });
  for (let at = 0; at < operations.length; at += OPERATIONS_A_BATCH)
    await post('/api/v1/batch', { operations: operations.slice(at, at + OPERATIONS_A_BATCH) });
  const crashes = CRASHES.flatMap(({ value, caller, times }, kind) =>
    Array.from({ length: times }, (_, n) => ({
      event_id: randomUUID(),
      timestamp: new Date(now - ((times - 1 - n) * 30 + kind) * 60_000).toISOString(),
      level: 'error',
      platform: 'javascript',
      release: '4.2.1',
      distinct_id: `user-${(n * 3) % PEOPLE}`,
      exception: {
        type: 'TypeError',
        value,
        frames: [
          { function: caller, file: 'https://shop.example/assets/cart.js', line: 12 + kind, column: 7 },
          { function: 'pay', file: 'https://shop.example/assets/pay.js', line: 40, column: 3 },
        ],
      },
    })),
  );
  await post('/api/catch/events', { events: crashes });
}

const FLAGS = {
  'search.typeahead': 'Suggestions below the field, from the second letter on.',
  'search.typos': 'Two letters may be wrong.',
  'basket.offline': 'Keeps the basket where there is no network.',
  'billing.invoice_pdf': 'Invoices as PDF, beside those by mail.',
  'onboarding.team_step': 'Asks for colleagues at the end of the tour.',
  'mobile.dark_icons': 'Icons that go with the system.',
};
const ITEMS = [
  { key: 'checkout.currency', type: 'string', value: 'EUR', description: 'Currency of the shop' },
  { key: 'search.weights', type: 'json', value: '{"title":3,"body":1}', description: 'How much each field counts' },
  { key: 'upload.max_mb', type: 'int', value: '25', description: 'Largest upload' },
];

/** Flags and values like a team's after some weeks, one flag halted, and people who received them. */
async function steer(url: string, { tokens, project_id, api_keys }: FirstRun): Promise<void> {
  const change = async (name: string, type: string, input: object): Promise<string> => {
    const query = `mutation($input: ${type}!) { made: ${name}(input: $input) { id } }`;
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { input } }),
    });
    const { data, errors } = (await answer.json()) as { data?: { made: { id: string } }; errors?: object };
    if (errors || !data) throw new Error(`${name}: ${JSON.stringify(errors)}`);
    return data.made.id;
  };
  const place = { projectId: project_id, environment: 'live' };
  for (const [key, description] of Object.entries(FLAGS))
    await change('createFlag', 'CreateFlagInput', {
      ...place,
      key,
      description,
      rules: [{ percentage: 25, variant: 'on' }],
    });
  for (const item of ITEMS) await change('createConfigItem', 'CreateConfigItemInput', { ...place, ...item });
  const variants = ['table', 'cards', 'slider'].map((key) => ({ key, value: key }));
  const pricing = await change('createFlag', 'CreateFlagInput', {
    ...place,
    key: 'pricing.page',
    kind: 'variant',
    description: 'Which page of prices people see.',
    variants,
    defaultVariant: 'table',
  });
  const split = variants.map(({ key }, at) => ({ variant: key, weight: [50, 30, 20][at] }));
  await change('updateFlag', 'UpdateFlagInput', {
    flagId: pricing,
    rules: [
      { conditions: [{ attribute: 'props.plan', operator: 'in', values: ['pro', 'team'] }], split },
      { percentage: 40, variant: 'cards' },
    ],
  });
  for (let person = 0; person < PEOPLE; person += 1) {
    const address = `${url}/api/v1/handshake?distinct_id=user-${person}&platform=web`;
    await (await fetch(address, { headers: { 'x-api-key': api_keys.live } })).arrayBuffer();
  }
  const broken = await change('createFlag', 'CreateFlagInput', {
    ...place,
    key: 'checkout.one_tap',
    description: 'Pay with one tap.',
  });
  await change('haltFlag', 'HaltFlagInput', { flagId: broken, reason: 'Failed payments are up fourfold since 09:40.' });
}

/** Waits until the worker has grouped the crashes into issues and counted the flags' answers. */
async function worked(url: string, { tokens, project_id }: FirstRun): Promise<void> {
  await until('the issues and the usage', async () => {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.owner}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `{ crashIssues(projectId: "${project_id}") { nodes { id } } flagByKey(projectId: "${project_id}", environment: live, key: "pricing.page") { usage { total } } }`,
      }),
    });
    const { data } = (await answer.json()) as {
      data: { crashIssues: { nodes: object[] }; flagByKey: { usage: { total: number } } };
    };
    return data.crashIssues.nodes.length > 0 && data.flagByKey.usage.total > 0;
  });
}

const server = await startServerProcess({ env: { FIRST_RUN: 'on' } });
const firstRun = await server.firstRun();
await steer(server.url, firstRun);
await fill(server.url, firstRun);
await worked(server.url, firstRun);
mkdirSync(FOLDER, { recursive: true });
const browser = await launchChromium();
for (const [name, device] of Object.entries(DEVICES)) {
  const page = await browser.newPage(device);
  await page.goto(server.url);
  await page.getByLabel(/e-?mail/i).fill(firstRun.owner.email);
  await page
    .getByLabel(/password/i)
    .first()
    .fill(firstRun.owner.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/p\//);
  for (const screen of SCREENS) {
    const { path, isDark, prepare } = screen;
    await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light' });
    await page.goto(`${server.url}/p/${firstRun.project_id}/live${path}`);
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await prepare?.(page);
    await page.waitForTimeout(800);
    const file = join(FOLDER, `${screen.name}-${name}.jpg`);
    await page.screenshot({ path: file, type: 'jpeg', quality: 66 });
    process.stdout.write(`${file} ${Math.round(statSync(file).size / 1024)} KiB\n`);
  }
  await page.close();
}
await browser.close();
await server.stop();
