import type { OFREPWebProvider as WebProvider } from '@openfeature/ofrep-web-provider';
import type { Browser, Page } from 'playwright-core';
import { openBuiltSite } from '../../browser/built-site.js';
import { hasChromium, launchChromium } from '../../browser/chromium.js';
import { openLibraryPage } from '../../browser/library-page.js';
import { openLibrarySite } from '../../browser/library-site.js';
import { Cluster, type Member } from '../../harness/cluster.js';
import type { FirstRun } from '../../harness/server-process.js';
import { Client } from '../../support/client.js';
import { until } from '../../support/until.js';
import type { TortureContext, TortureRow } from '../torture.js';

declare global {
  var OFREPWebProvider: typeof WebProvider;
}

export const name = 'streams-failover';
export const usualCount = 20;

const PROMISED_MS = 5_000;
const API: readonly [Member, Member] = ['api-1', 'api-2'];

/** An open page that does not poll, whose stream is held by one of the processes. */
interface OpenPage {
  readonly what: string;
  /** Its kind of stream, as named in the metrics. */
  readonly stream: string;
  /** Resolves once the page decides the flag this way, checked every `polling` milliseconds. */
  shows(halted: boolean, polling: number): Promise<unknown>;
  readonly took: number[];
}

/**
 * Kills whichever of two API processes holds a page's stream, at once halts a flag through the other, and times when
 * the page falls back to its default. The pages' streams take turns.
 */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  if (!hasChromium()) throw new Error('there is no Chromium on this machine');
  const cluster = await Cluster.start({ databaseUrl: await torture.createDatabase() });
  try {
    return await killHolders(torture, cluster);
  } finally {
    await cluster.close();
  }
}

/** The same with a running cluster, which afterwards has one API process less. */
export async function killHolders(
  { count, judgesSpeed }: Pick<TortureContext, 'count' | 'judgesSpeed'>,
  cluster: Cluster,
): Promise<TortureRow[]> {
  const browser = await launchChromium();
  try {
    const first = await cluster.member('api-1').firstRun();
    const owner = new Client(cluster.url).withToken(first.tokens.owner);
    const pages = [await libraryPage(browser, cluster.url, first), await providerPage(browser, cluster.url, first)];
    const polling = judgesSpeed ? 5 : 100;
    for (let round = 0; round < count; round++) {
      const holders = await Promise.all(pages.map(({ stream }) => until('a stream', () => holderOf(cluster, stream))));
      const struck = holders[round % pages.length] as Member;
      const other = API[0] === struck ? API[1] : API[0];
      const begun = performance.now();
      await cluster.member(struck).end('SIGKILL');
      const desk = new Client(cluster.member(other).url).withKey(first.api_keys.live);
      const halted = await desk.post('/api/switch/halt-webhook', {
        flag_key: first.sample.flag_key,
        reason: 'torture',
      });
      await Promise.all(
        pages.map(async (page, at) => {
          await page.shows(true, polling);
          if (holders[at] === struck) page.took.push(performance.now() - begun);
        }),
      );
      if (round + 1 < count) await cluster.startMember(struck);
      const { flag } = halted.body as { flag: { id: string } };
      await owner.post(`/api/v1/switch/flags/${flag.id}/resume`, {});
      await Promise.all(pages.map((page) => page.shows(false, polling)));
    }
    return pages.map(({ what, took }) => {
      took.sort((one, next) => one - next);
      const longest = took.at(-1) ?? Number.NaN;
      return {
        promise: `${what} that does not poll has a halt within 5 s of the death of the process, one of two, that holds its stream`,
        seen: `${took.length} kills, p50 ${(took[took.length >> 1] ?? Number.NaN).toFixed(0)} ms, longest ${longest.toFixed(0)} ms`,
        held: took.length > 0 && (!judgesSpeed || longest <= PROMISED_MS),
      };
    });
  } finally {
    await browser.close();
  }
}

/** The process that holds the only stream of a kind; null while none or both do. */
async function holderOf(cluster: Cluster, kind: string): Promise<Member | null> {
  const holders = [];
  for (const member of API) {
    const metrics = await (await fetch(`${cluster.member(member).url}/metrics`)).text();
    if (metrics.includes(`quarterdeck_streams_open{kind="${kind}"} 1`)) holders.push(member);
  }
  return holders.length === 1 ? (holders[0] as Member) : null;
}

async function libraryPage(browser: Browser, url: string, { api_keys, sample }: FirstRun): Promise<OpenPage> {
  const site = await openLibrarySite();
  const options = { url, key: api_keys.live, pollSeconds: 3_600 };
  const page = await openLibraryPage(await browser.newContext(), site.url, options);
  await site.close();
  const shows = (halted: boolean, polling: number) =>
    inTime(
      page,
      ([key, wanted]) => (quarterdeck.flagDetails(key)?.reason === 'halted') === wanted,
      [sample.flag_key, halted],
      polling,
    );
  return { what: 'a page with the browser library', stream: 'modules', shows, took: [] };
}

async function providerPage(browser: Browser, url: string, { api_keys, sample }: FirstRun): Promise<OpenPage> {
  const site = await openBuiltSite('test/fixtures/openfeature-page/page.ts');
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${site.url}?`);
  await page.waitForFunction(() => 'OFREPWebProvider' in globalThis);
  await site.close();
  await page.evaluate(
    async ([baseUrl, key]) => {
      const headers: [string, string][] = [['x-api-key', key]];
      await OpenFeature.setContext({ targetingKey: 'somebody' });
      await OpenFeature.setProviderAndWait(new OFREPWebProvider({ baseUrl, headers, pollInterval: 0 }));
    },
    [url, api_keys.live] as const,
  );
  const shows = (halted: boolean, polling: number) =>
    inTime(
      page,
      ([key, wanted]) => (OpenFeature.getClient().getBooleanDetails(key, true).reason === 'DISABLED') === wanted,
      [sample.flag_key, halted],
      polling,
    );
  return { what: "a page with OpenFeature's own web provider", stream: 'ofrep', shows, took: [] };
}

const inTime = (
  page: Page,
  isSo: (given: [string, boolean]) => boolean,
  given: [string, boolean],
  polling: number,
): Promise<unknown> => page.waitForFunction(isSo, given, { polling, timeout: 300_000 });
