import { hasChromium, launchChromium } from '../browser/chromium.js';
import { openLibraryPage } from '../browser/library-page.js';
import { openLibrarySite } from '../browser/library-site.js';
import { Client } from '../support/client.js';
import type { TortureContext, TortureRow } from './torture.js';

export const name = 'browser-halts';
export const usualCount = 100;

const PROMISED_MS = 500;

/** Halts and resumes a flag repeatedly, and times when an open page that does not poll falls back to its default. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  if (!hasChromium()) throw new Error('there is no Chromium on this machine');
  const server = await torture.startServer({
    env: { DATABASE_URL: await torture.createDatabase(), LOG_LEVEL: 'error' },
  });
  const { api_keys, tokens, sample } = await server.firstRun();
  const client = new Client(server.url).withKey(api_keys.live);
  const owner = new Client(server.url).withToken(tokens.owner);
  const site = await openLibrarySite();
  const browser = await launchChromium();
  try {
    const options = { url: server.url, key: api_keys.live, pollSeconds: 3_600 };
    const page = await openLibraryPage(await browser.newContext(), site.url, options);
    await page.waitForFunction(() => quarterdeck.isStreaming);
    const isHalted = (halted: boolean) =>
      page.waitForFunction(
        ([key, wanted]) => (quarterdeck.flagDetails(key as string)?.reason === 'halted') === wanted,
        [sample.flag_key, halted] as const,
        { polling: 5 },
      );
    const took: number[] = [];
    for (let round = 0; round < torture.count; round++) {
      const begun = Date.now();
      const halted = await client.post('/api/switch/halt-webhook', { flag_key: sample.flag_key, reason: 'torture' });
      await isHalted(true);
      took.push((await page.evaluate(() => Math.max(...changedAt))) - begun);
      const { flag } = halted.body as { flag: { id: string } };
      await owner.post(`/api/v1/switch/flags/${flag.id}/resume`, {});
      await isHalted(false);
    }
    took.sort((one, other) => one - other);
    const at = (share: number): number =>
      took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN;
    return [
      {
        promise: 'a halt by REST is in force on an open page that does not poll within 500 ms, p99',
        seen: `${took.length} halts, from the request on: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
        held: at(0.99) <= PROMISED_MS,
      },
    ];
  } finally {
    await browser.close();
    await site.close();
  }
}
