import type { Locator, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hasChromium } from '../browser/chromium.js';
import { buildProject } from '../support/factories/factories.js';
import { inConsole } from './console-place.js';

const profiles = suite('console: profiles are drawn as they are, and those that are sent to do harm do none');
const here = inConsole(profiles, { isPublic: true });
profiles.before.each(async () => {
  here.world = await buildProject(here.world);
});

async function send(profile: object): Promise<string> {
  const { status, body, text } = await here.world.live.post('/api/catch/profiles', profile);
  assert.is(status, 202, text);
  return (body as { profile_id: string }).profile_id;
}

const frame = (functionName: string) => ({ callFrame: { functionName } });
const speedscope = (names: string[], samples: unknown[], weights?: unknown[]) => ({
  shared: { frames: names.map((name) => ({ name })) },
  profiles: [{ type: 'sampled', samples, weights }],
});

const flames = (page: Page): Locator => page.getByRole('region', { name: 'Flame graph' });
const bar = (page: Page, name: string): Locator => flames(page).getByRole('button', { name, exact: true });

/** The names and shares in the drawing. */
const drawn = async (page: Page): Promise<string[]> =>
  flames(page)
    .locator('.flame-bar')
    .evaluateAll((bars) => bars.map((one) => one.getAttribute('title') ?? ''));

/** Sends the profiles, opens their list, and returns what draws the next of them each time. */
async function listOf(page: Page, ...profiles: object[]): Promise<() => Promise<void>> {
  const ids: string[] = [];
  for (const profile of profiles) ids.push(await send(profile));
  await page.goto(here.path('crashes', 'profiles'));
  let at = 0;
  return async () => {
    const id = ids[at++] ?? '';
    // The newest is the first in the list.
    await page
      .getByRole('button', { name: 'View' })
      .nth(ids.length - at)
      .click();
    await flames(page).getByText(id).waitFor();
  };
}

const named = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`);

if (hasChromium()) {
  profiles('nodes that are their own ancestors end where they begin', async () => {
    const { page, faults, close } = await here.openTab();
    const ownChild = { nodes: [{ id: 1, ...frame('(root)'), children: [1] }], samples: [1] };
    const circle = {
      nodes: [
        { id: 1, ...frame('a'), children: [2] },
        { id: 2, ...frame('b'), children: [1, 3] },
        { id: 3, ...frame('c') },
      ],
      samples: [3, 1, 2],
    };
    const drawNext = await listOf(page, ownChild, circle);
    await drawNext();
    assert.equal(await drawn(page), ['all: 100%']);
    await drawNext();
    assert.equal(await drawn(page), ['all: 100%', 'a: 100%', 'b: 66.7%', 'c: 33.3%']);
    assert.equal(faults, []);
    await close();
  });

  profiles('many names, many samples and long names take time in proportion to their number', async () => {
    const { page, faults, close } = await here.openTab();
    const names = named(200_000);
    const chain = named(300).map((name, id) => ({ id, ...frame(name), children: [id + 1] }));
    const drawNext = await listOf(
      page,
      speedscope(
        names,
        names.map((_, at) => [at]),
      ),
      { nodes: chain, samples: Array.from({ length: 800_000 }, () => 299) },
      speedscope(['x'.repeat(2_000_000)], [[0, 0, 0]]),
    );
    await drawNext();
    assert.equal(await drawn(page), ['all: 100%']);
    await drawNext();
    assert.equal((await drawn(page)).slice(0, 3), ['all: 100%', 'f0: 100%', 'f1: 100%']);
    await drawNext();
    assert.equal(
      (await drawn(page)).map(({ length }) => length),
      [9, 506, 506, 506],
    );
    assert.equal(faults, []);
    await close();
  });

  profiles('invalid times are refused with a message, and a profile without time is not drawn', async () => {
    const { page, faults, close } = await here.openTab();
    const faulty = [
      [['7', '8'], "times that aren't numbers"],
      [[1, -1], 'contains negative times'],
      [[1e308, 1e308], 'times are too large to add up'],
      [[0, 0], 'No time was recorded here'],
    ] as const;
    const timed = faulty.map(([weights]) => speedscope(['a', 'b'], [[0], [1]], [...weights]));
    const drawNext = await listOf(page, ...timed, { samples: 1 });
    for (const [, words] of faulty) {
      await drawNext();
      await flames(page).getByText(words).waitFor();
      assert.equal(await drawn(page), []);
    }
    await drawNext();
    await flames(page).getByText('a V8 profile or a sampled speedscope profile').waitFor();
    assert.equal(faults, []);
    await close();
  });

  profiles('of more calls than fit, those nearest the root are drawn, and the page says so', async () => {
    const { page, faults, close } = await here.openTab();
    const names = named(400);
    const drawNext = await listOf(
      page,
      speedscope(
        names,
        names.map((_, at) => Array.from({ length: 30 }, () => at)),
      ),
    );
    await drawNext();
    await flames(page).getByText('Shows only the 5,000 nearest calls.').waitFor();
    assert.is((await drawn(page)).length, 5_000);
    await bar(page, 'f399').first().click();
    await flames(page).getByText('0.3% of total').waitFor();
    assert.is((await drawn(page)).length, 30);
    assert.equal(faults, []);
    await close();
  });

  profiles('a V8 sample lasts until the next, and the last until the end', async () => {
    const { page, faults, close } = await here.openTab();
    const nodes = [
      { id: 1, ...frame('(root)'), children: [2, 3, 4] },
      { id: 2, ...frame('a') },
      { id: 3, ...frame('b') },
      { id: 4, ...frame('c') },
    ];
    const samples = [2, 3, 4];
    const drawNext = await listOf(
      page,
      { nodes, samples, timeDeltas: [900, 10, 70], startTime: 1_000, endTime: 2_000 },
      { nodes, samples, timeDeltas: [900, 30, 70] },
      { nodes, samples, timeDeltas: [900, 30, -10], startTime: 0, endTime: 1_000 },
    );
    await drawNext();
    assert.equal(await drawn(page), ['all: 100%', 'a: 10%', 'b: 70%', 'c: 20%']);
    await drawNext();
    assert.equal(await drawn(page), ['all: 100%', 'a: 30%', 'b: 70%']);
    await drawNext();
    assert.equal(await drawn(page), ['all: 100%', 'a: 30%', 'c: 70%']);
    assert.equal(faults, []);
    await close();
  });

  profiles('a refused download says why and leaves the page in place', async () => {
    await send(speedscope(['a'], [[0]]));
    const { page, faults, expectFault, close } = await here.openTab();
    await page.goto(here.path('crashes', 'profiles'));
    await page.route('**/graphql', (route) =>
      route.request().postData()?.includes('query ProfileDownload(')
        ? route.fulfill({ json: { errors: [{ message: 'It is not for you.' }], data: null } })
        : route.fallback(),
    );
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('alert').filter({ hasText: "That didn't work" }).getByText('It is not for you.').waitFor();
    await expectFault('It is not for you.');
    assert.equal(faults, []);
    await close();
  });

  profiles('the last profile requested is drawn, whichever arrives first', async () => {
    const slow = await send(speedscope(['slow'], [[0]]));
    const quick = await send(speedscope(['quick'], [[0]]));
    const { page, faults, settle, close } = await here.openTab();
    await page.goto(here.path('crashes', 'profiles'));
    const held = Promise.withResolvers<void>();
    await page.route(
      ({ href }) => href.includes(slow),
      async (route) => {
        await held.promise;
        await route.fallback();
      },
    );
    const asked = page.waitForRequest((request) => request.url().includes(slow));
    await page.getByRole('button', { name: 'View' }).nth(1).click();
    await asked;
    await page.getByRole('button', { name: 'View' }).first().click();
    await bar(page, 'quick').waitFor();
    held.resolve();
    await settle();
    assert.is(await flames(page).getByText(quick).count(), 1);
    assert.equal(await drawn(page), ['all: 100%', 'quick: 100%']);
    assert.equal(faults, []);
    await close();
  });
}

profiles('without a browser: a bare profile is accepted', async () => {
  assert.ok(await send({ nodes: [{ id: 1, children: [1] }], samples: [1] }));
});

profiles.run();
