import { type Browser, chromium } from 'playwright-core';
import { machineHas } from '../runner/machine.js';

const PROGRAM = 'chromium';

/** Whether this machine has a browser; the run says so where it has none. */
export const hasChromium = (): boolean => machineHas(PROGRAM);

/** Starts the machine's own Chromium, which calls nobody by itself. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? `/usr/bin/${PROGRAM}`,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-dev-shm-usage'],
  });
}
