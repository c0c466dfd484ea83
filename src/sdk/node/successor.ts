import { spawnSync } from 'node:child_process';

/**
 * Runs in its own process: sends what it reads from its input, and exits with 0 when the server has accepted
 * everything.
 */
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

/** What is left to send, and where. */
export interface LastRequests {
  /** URL of the server. */
  readonly url: string;
  readonly key: string;
  /** Bodies are JSON strings. */
  readonly requests: readonly { readonly path: string; readonly body: string }[];
  /** Milliseconds the exit of the process may be delayed. */
  readonly milliseconds: number;
}

/**
 * Has another process send what is left, since nothing asynchronous runs in one that crashes or exits, and waits for at
 * most `milliseconds`. Returns whether the server has accepted everything.
 */
export function sendBySuccessor(given: LastRequests): boolean {
  try {
    const { status } = spawnSync(process.execPath, ['-e', SENDER], {
      input: JSON.stringify(given),
      timeout: given.milliseconds + 500,
      // Its other signal handlers cannot run while it waits, and a preload that crashes would start another successor.
      killSignal: 'SIGKILL',
      // biome-ignore lint/style/noProcessEnv: the successor inherits the application's environment
      env: { ...process.env, NODE_OPTIONS: '' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    return status === 0;
  } catch {
    return false;
  }
}
