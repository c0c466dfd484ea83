import { spawnSync } from 'node:child_process';

/** Runs in a process of its own: sends what it reads from its input, and ends with 0 when the server has taken all of it. */
const SENDER = `
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; }).on('end', async () => {
  const { url, key, requests, milliseconds } = JSON.parse(text);
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(milliseconds);
  for (const { path, body } of requests) {
    const answer = await fetch(url + path, { method: 'POST', headers, body, signal }).catch(() => null);
    if (!answer?.ok) process.exitCode = 1;
  }
});`;

/** What is left to be sent, and where. */
export interface LastRequests {
  /** Address of the server. */
  readonly url: string;
  readonly key: string;
  /** Bodies are JSON. */
  readonly requests: readonly { readonly path: string; readonly body: string }[];
  /** Milliseconds that the end of the process may be held up. */
  readonly milliseconds: number;
}

/**
 * Has another process send what is left, since nothing asynchronous runs any more in one that crashes or exits, and waits for it, for
 * `milliseconds` at most. Returns whether the server has taken all of it.
 */
export function sendBySuccessor(given: LastRequests): boolean {
  try {
    const { status } = spawnSync(process.execPath, ['-e', SENDER], {
      input: JSON.stringify(given),
      timeout: given.milliseconds + 500,
      // Its own handlers of other signals cannot run while it waits, and a preload that crashes would start the next successor.
      killSignal: 'SIGKILL',
      // biome-ignore lint/style/noProcessEnv: what the application was started with is the successor's, too
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return status === 0;
  } catch {
    return false;
  }
}
