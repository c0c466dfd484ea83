import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import type { TestUser } from '../support/factories/factories.js';
import { until } from '../support/until.js';

/** A page of the server that has no script. */
const QUIET_PAGE = '/healthz';

/** Viewport width, unless a test asks for another. */
const WIDTH = 1400;
const sizeOf = (width: number) => ({ width, height: width < 500 ? 812 : 900 });

/** Tabs that tests are done with, by browser and server. The next test saves starting a process, and has the scripts cached. */
const idleTabs = new WeakMap<Browser, Map<string, Tab[]>>();

export interface Visit {
  /** Null for someone who is not signed in. */
  user: TestUser | null;
  width: number;
}

/** The tab of a signed-in user, with everything that has gone wrong in it so far. */
export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Errors from the console, from scripts and in GraphQL answers; a test removes those it caused. */
  faults: string[];
  /** Waits for a fault that the test caused and removes it, including from answers still on their way. */
  expectFault(part: string): Promise<void>;
  /** Waits until everything that the page requested is there; the stream of changes stays open. */
  settle(): Promise<void>;
  /** Navigates within the open page, like a link, to a page of another kind, and waits for its heading and its requests. */
  goWithin(address: string): Promise<void>;
  /** Stops what runs in the tab and clears what the page stored; the next tab may be this one. */
  close(): Promise<void>;
}

/**
 * A tab in a browser profile that nobody else uses meanwhile; `user` signs in by the console's own mutation, without the form.
 * It may be a reused tab, in which the same user is still signed in.
 */
export async function openTab(
  browser: Browser,
  baseUrl: string,
  { user = null, width = WIDTH }: Partial<Visit> = {},
): Promise<Tab> {
  const idleByServer = idleTabs.get(browser) ?? new Map<string, Tab[]>();
  idleTabs.set(browser, idleByServer);
  const idle = idleByServer.get(baseUrl) ?? [];
  idleByServer.set(baseUrl, idle);
  const tab = idle.pop() ?? (await newTab(browser, baseUrl, idle));
  await becomeUser(tab.context, user);
  await tab.page.setViewportSize(sizeOf(width));
  tab.faults.length = 0;
  return tab;
}

/** A tab in its own profile, which becomes idle once it is closed. */
async function newTab(browser: Browser, baseUrl: string, idle: Tab[]): Promise<Tab> {
  const context = await browser.newContext({ baseURL: baseUrl, viewport: sizeOf(WIDTH), reducedMotion: 'reduce' });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()}`);
  });
  /** Requests whose answers have not been read yet, and the faults they may have. */
  const unread = new Map<Request, string[]>();
  page.on('request', (request) => {
    if (request.url().endsWith('/graphql')) unread.set(request, []);
  });
  page.on('requestfailed', (request) => unread.delete(request));
  page.on('response', async (response) => {
    const request = response.request();
    if (!unread.has(request)) return;
    const text = await response.text().catch(() => '');
    const isExpected = unread.get(request)?.some((part) => text.includes(part));
    unread.delete(request);
    if (text.includes('"errors":') && !isExpected) faults.push(`graphql: ${text.slice(0, 500)}`);
  });
  const awaited = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().endsWith('/graphql/stream')) awaited.add(request);
  });
  const over = (request: Request): void => void awaited.delete(request);
  page.on('requestfinished', over).on('requestfailed', over);
  // An answer may lead to another request, which React sends after rendering.
  const settle = async (): Promise<void> => {
    for (let quiet = 0; quiet < 2; ) {
      await until('the page has what it asked for', () => awaited.size === 0);
      await page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 500 }))');
      quiet = awaited.size === 0 ? quiet + 1 : 0;
    }
  };
  const goWithin = async (address: string): Promise<void> => {
    await page.evaluate(`{
      for (const heading of document.querySelectorAll('h1')) heading.dataset.left = '';
      history.pushState({}, '', ${JSON.stringify(address)});
    }`);
    await page.locator('h1:not([data-left])').first().waitFor();
    await settle();
  };
  const expectFault = async (part: string): Promise<void> => {
    await until(`an error with ${part}`, () => faults.some((fault) => fault.includes(part)));
    faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes(part)));
    for (const parts of unread.values()) parts.push(part);
  };
  const close = async (): Promise<void> => {
    // Answers that a test gives for the server may still be on their way.
    for (const each of context.pages()) await each.unrouteAll({ behavior: 'ignoreErrors' });
    for (const other of context.pages()) if (other !== page) await other.close();
    await page.goto(QUIET_PAGE);
    await page.evaluate('localStorage.clear(); sessionStorage.clear()');
    idle.push(tab);
  };
  const tab: Tab = { page, context, faults, expectFault, settle, goWithin, close };
  return tab;
}

/** Whose session each profile has, along with the cookies it came with. */
const sessions = new WeakMap<BrowserContext, string>();

/** Signs the user in, or signs out if there is no user, unless the profile already has that session. */
async function becomeUser(context: BrowserContext, user: TestUser | null): Promise<void> {
  const sessionNow = async (): Promise<string> =>
    [user?.email, ...(await context.cookies()).map(({ name, value }) => `${name}=${value}`).sort()].join(' ');
  if (sessions.get(context) === (await sessionNow())) return;
  await context.clearCookies();
  if (user) await signInWithCookie(context, user);
  sessions.set(context, await sessionNow());
}

async function signInWithCookie(context: BrowserContext, { email, password }: TestUser): Promise<void> {
  const answer = await context.request.post('/graphql', {
    headers: { 'apollo-require-preflight': 'console' },
    data: {
      query: 'mutation($input: SignInInput!) { signInWithCookie(input: $input) { expiresAt } }',
      variables: { input: { email, password } },
    },
  });
  const body = (await answer.json()) as { errors?: unknown };
  if (body.errors) throw new Error(JSON.stringify(body.errors));
}
