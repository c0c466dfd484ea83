import type { BrowserContext, Page } from 'playwright-core';

/** What the tests use of the library on a page. Playwright sends page functions as text, so this is only a type. */
export interface PageLibrary {
  readonly ready: Promise<void>;
  readonly isStreaming: boolean;
  readonly distinctId: string;
  readonly consent: string;
  flag(key: string, fallback: unknown): unknown;
  config(key: string, fallback: unknown): unknown;
  flagDetails(key: string): { reason: string } | null;
  onChange(listener: (change: { flags: string[]; config: string[] }) => void): () => void;
  track(event: string, properties?: object): void;
  identify(id: string, properties?: object): Promise<void>;
  setProperties(properties: object): void;
  setConsent(consent: string): void;
  captureError(error: unknown, details?: object): void;
  showSurvey(survey: string): Promise<boolean>;
  pauseSurveys(): void;
  resumeSurveys(): void;
  reset(): Promise<void>;
  flush(): Promise<number>;
  close(): Promise<void>;
}

declare global {
  var createQuarterdeck: (options: object) => PageLibrary;
  var quarterdeck: PageLibrary;
  var violations: string[];
  var changedAt: number[];
  var keysSeen: string[];
  var stopSequence: () => number;
}

/** Opens a page of the site and starts the library on it. */
export async function openLibraryPage(
  context: BrowserContext,
  siteUrl: string,
  options: { readonly url: string; readonly key: string; readonly [option: string]: unknown },
): Promise<Page> {
  const page = await context.newPage();
  await beginOn(page, siteUrl, options);
  return page;
}

/** Navigates to the page, which ends whatever ran on it before, and starts again. */
export async function beginOn(page: Page, siteUrl: string, options: object): Promise<void> {
  await page.goto(siteUrl);
  await page.waitForFunction(() => typeof globalThis.createQuarterdeck === 'function');
  await page.evaluate((given) => {
    globalThis.changedAt = [];
    globalThis.quarterdeck = globalThis.createQuarterdeck(given);
    globalThis.quarterdeck.onChange(() => globalThis.changedAt.push(Date.now()));
    return globalThis.quarterdeck.ready;
  }, options);
}
