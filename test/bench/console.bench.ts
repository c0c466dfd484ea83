import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { copyRows } from '../harness/many-rows.js';
import { alternate, median } from '../harness/rounds.js';
import type { FirstRun } from '../harness/server-process.js';
import { type BenchContext, type BenchRow, row } from './bench.js';

export const name = 'console';

const FLAGS = 10_000;
const FRAMES = 240;
const PIXELS_A_FRAME = 60;
const BUILT = 'dist/browser/console';

/** Pages of a project and its environment. */
const PAGES = {
  overview: '',
  flags: '/flags',
  'a flag': '/flags/new_checkout',
  crashes: '/crashes',
  events: '/events',
};

/** Records a tab's loading metrics; runs before the page's scripts. */
const WATCH = `
  window.watched = { paint: 0, shift: 0, blocked: 0 };
  const watch = (type, take) => new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => { watched.paint = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) watched.shift += entry.value; });
  watch('longtask', (entry) => { watched.blocked += entry.duration - 50; });`;

interface Loaded {
  readyMs: number;
  paintMs: number;
  blockedMs: number;
  shift: number;
  scriptKb: number;
}

interface Scrolled {
  medianMs: number;
  p95Ms: number;
  /** CPU time of the page's thread per frame. */
  busyMs: number;
}

/**
 * The console in Chromium: milliseconds until a page is ready in a tab without a cache, the script it loads, when its
 * largest part is painted, and how much it shifts and blocks meanwhile. Then how smoothly 10,000 flags scroll, compared
 * with an empty list of the same height.
 */
export async function run(bench: BenchContext): Promise<BenchRow[]> {
  if (!hasChromium()) {
    bench.log('this machine has no Chromium');
    return [];
  }
  const databaseUrl = await bench.createDatabase();
  const server = await bench.startServer({ env: { FIRST_RUN: 'on', DATABASE_URL: databaseUrl } });
  const firstRun = await server.firstRun();
  const browser = await launchChromium();
  try {
    const rows: BenchRow[] = [];
    for (const [page, path] of Object.entries(PAGES)) {
      const loads: Loaded[] = [];
      for (let round = 0; round < bench.rounds; round += 1) loads.push(await load(browser, server.url, firstRun, path));
      rows.push(loadedRow(page, loads));
    }
    await makeFlags(databaseUrl, firstRun.project_id);
    const sides = await alternate(bench.rounds, {
      flags: () =>
        inTab(browser, server.url, firstRun, async (page) =>
          scrollFlags(page, address(server.url, firstRun, '/flags')),
        ),
      nothing: () => inTab(browser, server.url, firstRun, scrollNothing),
    });
    return [...rows, ...scrolledRows(sides)];
  } finally {
    await browser.close();
  }
}

const address = (url: string, { project_id }: FirstRun, path: string): string => `${url}/p/${project_id}/live${path}`;

async function inTab<T>(
  browser: Browser,
  url: string,
  firstRun: FirstRun,
  use: (page: Page) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  try {
    await signIn(context, url, firstRun);
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

async function signIn(context: BrowserContext, url: string, { owner }: FirstRun): Promise<void> {
  const answer = await context.request.post(`${url}/graphql`, {
    headers: { 'apollo-require-preflight': 'bench' },
    data: {
      query: 'mutation($input: SignInInput!) { signInWithCookie(input: $input) { expiresAt } }',
      variables: { input: owner },
    },
  });
  if (((await answer.json()) as { errors?: unknown }).errors) throw new Error('the sign-in failed');
}

/**
 * Loads one page in a tab that has loaded nothing before. The page is ready when everything it requested has arrived
 * and is drawn.
 */
function load(browser: Browser, url: string, firstRun: FirstRun, path: string): Promise<Loaded> {
  return inTab(browser, url, firstRun, async (page) => {
    await page.addInitScript(WATCH);
    const scripts: string[] = [];
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.push(new URL(response.url()).pathname);
    });
    const awaited = new Set<object>();
    let lastAt = 0;
    const begun = performance.now();
    page.on('request', (request) => {
      if (!request.url().endsWith('/stream')) awaited.add(request);
    });
    page.on('requestfinished', (request) => {
      if (awaited.delete(request)) lastAt = performance.now();
    });
    await page.goto(address(url, firstRun, path));
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    for (let quiet = 0; quiet < 3; quiet = awaited.size === 0 ? quiet + 1 : 0)
      await page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 500 }))');
    const seen = (await page.evaluate('watched')) as { paint: number; shift: number; blocked: number };
    return {
      readyMs: lastAt - begun,
      paintMs: seen.paint,
      blockedMs: seen.blocked,
      shift: seen.shift,
      scriptKb: scripts.reduce((sum, file) => sum + gzippedBytes(file), 0) / 1_000,
    };
  });
}

function gzippedBytes(path: string): number {
  const file = join(BUILT, path);
  return statSync(existsSync(`${file}.gz`) ? `${file}.gz` : file).size;
}

function loadedRow(page: string, loads: readonly Loaded[]): BenchRow {
  const middle = (of: (loaded: Loaded) => number) => median(loads.map(of));
  return row({
    path: `page ${page}, nothing in the browser's cache: to ready`,
    unit: 'ms',
    values: loads.map(({ readyMs }) => readyMs),
    goal: { atMost: 1_000 },
    more: {
      'largest paint ms': middle(({ paintMs }) => paintMs),
      'thread blocked ms': middle(({ blockedMs }) => blockedMs),
      'layout shift': middle(({ shift }) => shift),
      'script kB gzip': middle(({ scriptKb }) => scriptKb),
    },
  });
}

async function makeFlags(databaseUrl: string, projectId: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl });
  try {
    await copyRows(pool, projectId, FLAGS, ['flag']);
  } finally {
    await pool.end();
  }
}

/** Scrolls an element by the same step in each frame while the pages of the list arrive. */
const SCROLL = `(frame) => new Promise((done) => {
  const gaps = [];
  let last = 0;
  const step = (now) => {
    if (last) gaps.push(now - last);
    last = now;
    frame.scrollTop += ${PIXELS_A_FRAME};
    if (gaps.length < ${FRAMES}) requestAnimationFrame(step); else done(gaps);
  };
  requestAnimationFrame(step);
})`;

async function scrollFlags(page: Page, flags: string): Promise<Scrolled> {
  await page.goto(flags);
  await page.getByRole('table', { name: 'Flags' }).waitFor();
  return scroll(page, '[role=table]');
}

async function scrollNothing(page: Page): Promise<Scrolled> {
  await page.setContent('<div id="frame" style="height:700px;overflow:auto"><div style="height:400000px"></div></div>');
  return scroll(page, '#frame');
}

async function scroll(page: Page, selector: string): Promise<Scrolled> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busy = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? 0) * 1_000;
  };
  const before = await busy();
  const gaps = (await page.evaluate(`(${SCROLL})(document.querySelector('${selector}'))`)) as number[];
  const after = await busy();
  gaps.sort((a, b) => a - b);
  return {
    medianMs: median(gaps),
    p95Ms: gaps[Math.floor(gaps.length * 0.95)] ?? 0,
    busyMs: (after - before) / FRAMES,
  };
}

function scrolledRows({ flags, nothing }: Record<'flags' | 'nothing', readonly Scrolled[]>): BenchRow[] {
  const made = (path: string, of: (scrolled: Scrolled) => number, atMost: number, more?: Record<string, number>) =>
    row({
      path,
      unit: 'ms',
      values: flags.map(of),
      peer: { what: 'an empty list of the same height', values: nothing.map(of) },
      goal: { atMost },
      ...(more && { more }),
    });
  return [
    made(`${FLAGS} flags scroll by ${PIXELS_A_FRAME} px a frame: median of frames`, ({ medianMs }) => medianMs, 1.05),
    made('the same: 95th percentile of frames', ({ p95Ms }) => p95Ms, 1.25, {
      'page ms of processor/frame': median(flags.map(({ busyMs }) => busyMs)),
    }),
  ];
}
