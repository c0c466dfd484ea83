import pg from 'pg';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { openLibraryPage } from '../browser/library-page.js';
import { openLibrarySite } from '../browser/library-site.js';
import { freePort, type ServerProcess } from '../harness/server-process.js';
import { until } from '../support/until.js';
import type { TortureContext, TortureRow } from './torture.js';

export const name = 'browser';
export const usualCount = 50;

/** Between two events of the page. */
const EVERY_MS = 50;
const LONGEST_RUN_MS = 1_200;
const SETTLE_MS = 120_000;

/** Kills the server repeatedly while a page sends a numbered sequence. */
export async function run(torture: TortureContext): Promise<TortureRow[]> {
  if (!hasChromium()) throw new Error('there is no Chromium on this machine');
  const env = {
    DATABASE_URL: await torture.createDatabase(),
    PORT: String(await freePort()),
    LOG_LEVEL: 'error',
  };
  const start = () => torture.startServer({ env });
  let server: ServerProcess = await start();
  const { api_keys, project_id: project } = await server.firstRun();
  const site = await openLibrarySite();
  const browser = await launchChromium();
  const pool = new pg.Pool({ connectionString: env.DATABASE_URL, max: 2 });
  try {
    const page = await openLibraryPage(await browser.newContext(), site.url, { url: server.url, key: api_keys.live });
    await page.evaluate((every) => {
      let n = 0;
      globalThis.stopSequence = ((timer) => () => {
        clearInterval(timer);
        return n;
      })(setInterval(() => quarterdeck.track('step', { n: n++ }), every));
    }, EVERY_MS);
    for (let kill = 0; kill < torture.count; kill++) {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_RUN_MS));
      await server.end('SIGKILL');
      server = await start();
    }
    const sent = await page.evaluate(() => stopSequence());
    await until('everything sent', () => page.evaluate(async () => (await quarterdeck.flush()) === 0), SETTLE_MS);
    const { rows } = await pool.query<{ n: number }>(
      "select (properties->>'n')::int as n from event where project_id = $1 and event_name = 'step' order by id",
      [project],
    );
    const found = rows.map(({ n }) => n);
    const distinct = new Set(found).size;
    const disordered = found.filter((n, at) => at > 0 && n < (found[at - 1] as number)).length;
    return [
      {
        promise: 'an event of a page arrives once and in order, however often the server dies',
        seen: `${torture.count} kills, ${sent} events, ${sent - distinct} lost, ${found.length - distinct} twice, ${disordered} out of order`,
        held: sent > torture.count && distinct === sent && found.length === sent && disordered === 0,
      },
    ];
  } finally {
    await browser.close();
    await site.close();
    await pool.end();
  }
}
