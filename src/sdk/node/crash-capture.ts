import { spawnSync } from 'node:child_process';
import type { CrashReport } from '../core/crash-reports.js';

/** Runs in a process of its own: sends what it reads from its input, and ends with 0 when the server has taken it. */
const SENDER = `
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; }).on('end', async () => {
  const { url, key, body, milliseconds } = JSON.parse(text);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(milliseconds);
  const answer = await fetch(url, { method: 'POST', headers, body, signal }).catch(() => null);
  process.exitCode = answer?.ok ? 0 : 1;
});`;

export interface CrashSender {
  /** Address of the server. */
  readonly url: string;
  readonly key: string;
  /** Milliseconds that the end of the process may be held up. */
  readonly milliseconds: number;
  readonly report: (error: unknown) => CrashReport | null;
  readonly warn: (message: string) => void;
}

/**
 * Reports exceptions and rejections that nobody caught, without a say in what they do to the process: it ends as it would have, or lives on
 * where the application catches them. Since nothing asynchronous runs any more then, another process sends the report, and
 * this one waits for it, for `milliseconds` at most. Returns what stops that.
 */
export function captureCrashes({ url, key, milliseconds, report, warn }: CrashSender): () => void {
  const onCrash = (error: unknown): void => {
    try {
      const event = report(error);
      if (!event) return;
      const body = JSON.stringify({ events: [event] });
      const input = JSON.stringify({ url: `${url}/api/catch/events`, key, body, milliseconds });
      const { status } = spawnSync(process.execPath, ['-e', SENDER], {
        input,
        timeout: milliseconds + 500,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      if (status !== 0) warn('Quarterdeck: the last crash report of this process could not be sent.');
    } catch {
      // A crash must not be hidden by another.
    }
  };
  process.on('uncaughtExceptionMonitor', onCrash);
  return () => process.off('uncaughtExceptionMonitor', onCrash);
}
