import { hasChromium, launchChromium } from '../../browser/chromium.js';
import { openLibraryPage } from '../../browser/library-page.js';
import { openLibrarySite } from '../../browser/library-site.js';
import { Cluster, type Member } from '../../harness/cluster.js';
import { Client } from '../../support/client.js';
import { until } from '../../support/until.js';
import type { TortureContext, TortureRow } from '../torture.js';

export const name = 'streams-failover';
export const usualCount = 20;

const PROMISED_MS = 5_000;
const API: readonly Member[] = ['api-1', 'api-2'];

/** Kills one of two API processes and halts a flag at once, again and again, and looks when an open page that does not poll has its default. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  if (!hasChromium()) throw new Error('there is no Chromium on this machine');
  const cluster = await Cluster.start({ databaseUrl: await torture.createDatabase() });
  const site = await openLibrarySite();
  const browser = await launchChromium();
  try {
    const { api_keys, tokens, sample } = await cluster.member('api-1').firstRun();
    const desk = new Client(cluster.url).withKey(api_keys.live);
    const owner = desk.withToken(tokens.owner);
    const options = { url: cluster.url, key: api_keys.live, pollSeconds: 3_600 };
    const page = await openLibraryPage(await browser.newContext(), site.url, options);
    const isHalted = (halted: boolean) =>
      page.waitForFunction(
        ([key, wanted]) => (quarterdeck.flagDetails(key as string)?.reason === 'halted') === wanted,
        [sample.flag_key, halted] as const,
        { polling: 5, timeout: 60_000 },
      );
    const took: number[] = [];
    for (let round = 0; round < torture.count; round++) {
      await page.waitForFunction(() => quarterdeck.isStreaming, undefined, { timeout: 60_000 });
      const member = API[round % API.length] as Member;
      const begun = performance.now();
      await cluster.member(member).end('SIGKILL');
      const flag = await until('a halt', () => halt(desk, sample.flag_key));
      await isHalted(true);
      took.push(performance.now() - begun);
      await cluster.startMember(member);
      await owner.post(`/api/v1/switch/flags/${flag}/resume`, {});
      await isHalted(false);
    }
    took.sort((one, other) => one - other);
    const longest = took.at(-1) ?? Number.NaN;
    return [
      {
        promise:
          'a halt is in force on an open page that does not poll within 5 s of the death of one of two API processes',
        seen: `${took.length} kills, p50 ${(took[took.length >> 1] ?? Number.NaN).toFixed(0)} ms, longest ${longest.toFixed(0)} ms`,
        held: longest <= PROMISED_MS,
      },
    ];
  } finally {
    await browser.close();
    await site.close();
    await cluster.close();
  }
}

/** The id of the flag, once a process has taken the halt. */
async function halt(desk: Client, key: string): Promise<string | null> {
  const answer = await desk.post('/api/switch/halt-webhook', { flag_key: key, reason: 'torture' }).catch(() => null);
  return answer?.status === 200 ? (answer.body as { flag: { id: string } }).flag.id : null;
}
