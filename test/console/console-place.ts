import { createServer, request } from 'node:http';
import type { Browser } from 'playwright-core';
import type { Test } from 'uvu';
import { hasChromium, launchChromium } from '../browser/chromium.js';
import { buildWorld, type World } from '../support/factories/factories.js';
import { openLocally } from '../support/receivers/open-locally.js';
import { openTestApp, type TestApp, type TestAppOptions } from '../support/test-app.js';
import { openTab, type Tab, type Visit } from './open-tab.js';

/** Where the console is tested: a server, an organization with a project, and a browser. */
export interface ConsolePlace {
  test: TestApp;
  world: World;
  /** Undefined on a machine without Chromium. */
  browser: Browser;
  /** The prefix of links to files: the public address with `isPublic`, else the address of the server. */
  publicUrl: string;
  /** The address of a page of the project in live. */
  path(...rest: string[]): string;
  /** A tab of the organization's owner, unless it is for another user. */
  openTab(visit?: Partial<Visit>): Promise<Tab>;
}

interface PlaceOptions extends TestAppOptions {
  /** Sets a public address, so that links to files use it. */
  isPublic?: boolean;
}

/** Settings that let webhooks reach receivers on this machine. */
export const WITH_RECEIVERS: TestAppOptions = {
  worker: true,
  settings: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' },
};

/** The place of a suite: it is there from before the first test until after the last. */
export function inConsole(suite: Test, { isPublic = false, ...options }: PlaceOptions = {}): ConsolePlace {
  const place = {
    path: (...rest) => ['/p', place.world.projectId, 'live', ...rest].join('/'),
    openTab: (visit) => openTab(place.browser, place.publicUrl, { user: place.world.owner, ...visit }),
  } as ConsolePlace;
  let entrance: Entrance | undefined;
  suite.before(async () => {
    if (isPublic) entrance = await openEntrance(() => place.test.baseUrl);
    const settings = { ...options.settings, ...(entrance && { PUBLIC_URL: entrance.url }) };
    place.test = await openTestApp({ ...options, settings });
    place.publicUrl = entrance?.url ?? place.test.baseUrl;
    place.world = await buildWorld(place.test);
    if (hasChromium()) place.browser = await launchChromium();
  });
  suite.after(async () => {
    await place.browser?.close();
    entrance?.close();
    await place.test?.close();
  });
  return place;
}

interface Entrance {
  url: string;
  close(): void;
}

/** An address that is known before the server behind it has a port. */
async function openEntrance(baseUrl: () => string): Promise<Entrance> {
  const server = createServer((incoming, answer) => {
    const { method = 'GET', headers, url = '/' } = incoming;
    const onward = request(new URL(url, baseUrl()), { method, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    answer.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  return {
    url: await openLocally(server),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** How many GraphQL streams the server holds open. */
export const openStreams = async ({ app }: TestApp): Promise<number> =>
  Number(/streams_open\{kind="graphql"\} (\d+)/.exec(await app.parts.metrics.text())?.[1] ?? 0);

/** The description of a flag, as stored. */
export async function storedDescription(world: World, key: string): Promise<string> {
  const { flagByKey } = await world.owner.client.graphql<{ flagByKey: { description: string } }>(
    'query($id: ID!, $key: String!) { flagByKey(projectId: $id, environment: live, key: $key) { description } }',
    { id: world.projectId, key },
  );
  return flagByKey.description;
}
