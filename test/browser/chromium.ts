import { type Browser, chromium } from 'playwright-core';
import { cpuMsOfTree } from '../harness/cpu.js';
import { firstOnMachine } from '../runner/machine.js';
import { tally } from '../runner/tally.js';

/** Chromium built without windows takes a fifth less processor time for the same pages than the whole of it without a window. */
const program = (): string | undefined => firstOnMachine('chromium-headless-shell', 'chromium');

/** Whether this machine has a browser; the run says so where it has none. */
export const hasChromium = (): boolean => program() !== undefined;

/**
 * What Chromium does without: the pages in which it draws its own address bar, two for every profile, take more processor time than
 * a page of the console. The list stands in place of Playwright's own, of which it keeps what a test could notice.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/**
 * A page of a test is gone before most of what V8 compiles for speed has earned what compiling it took: only code that runs ten times as
 * often as usual is.
 */
const LATE_OPTIMIZING = '--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000';

/** Longer than any machine takes for what happens at all. */
const LONGEST_MS = 120_000;

/** Starts the machine's own Chromium, which calls nobody by itself, and in whose pages only what hangs fails to come. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? `/usr/bin/${program()}`,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      LATE_OPTIMIZING,
      '--disable-background-networking',
      '--disable-dev-shm-usage',
      `--disable-features=${DISABLED_FEATURES.join()}`,
    ],
  });
  const { newContext } = browser;
  // Pages without a context of the test's have one, too.
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options);
    context.setDefaultTimeout(LONGEST_MS);
    return context;
  };
  const { close } = browser;
  // Its helpers, which do most of the work, end without being waited for.
  browser.close = async (options) => {
    const before = cpuMsOfTree(process.pid);
    await close.call(browser, options);
    tally.unclaimedCpuMs += Math.max(0, before - cpuMsOfTree(process.pid));
  };
  return browser;
}
