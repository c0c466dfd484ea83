import { type Browser, chromium } from 'playwright-core';
import { cpuMsOfTree } from '../harness/cpu.js';
import { firstOnMachine } from '../runner/machine.js';
import { tally } from '../runner/tally.js';

/** The headless shell uses a fifth less CPU time for the same pages than full Chromium in headless mode. */
const program = (): string | undefined => firstOnMachine('chromium-headless-shell', 'chromium');

/** Whether this machine has a browser; if not, the run says so. */
export const hasChromium = (): boolean => program() !== undefined;

/**
 * Features switched off: the pages behind Chromium's own address bar, two per profile, use more CPU time than a console page.
 * The list replaces Playwright's own, and keeps those of its entries that a test could notice.
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
 * A test page is gone before most of V8's optimized code has paid for its compilation, so only code that runs
 * ten times as often as usual is optimized.
 */
const LATE_OPTIMIZING = '--js-flags=--invocation-count-for-maglev=4000 --invocation-count-for-turbofan=30000';

/** Longer than anything takes that happens at all, on any machine. */
const LONGEST_MS = 120_000;

/** Starts the machine's own Chromium, which makes no network calls of its own. The timeout is so long that only a real hang exceeds it. */
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
  // A page that is opened without a context of its own gets one here, too.
  browser.newContext = async (options) => {
    const context = await newContext.call(browser, options);
    context.setDefaultTimeout(LONGEST_MS);
    return context;
  };
  const { close } = browser;
  // Chromium's helper processes do most of the work, and nobody waits for them when they exit.
  browser.close = async (options) => {
    const before = cpuMsOfTree(process.pid);
    await close.call(browser, options);
    tally.unclaimedCpuMs += Math.max(0, before - cpuMsOfTree(process.pid));
  };
  return browser;
}
