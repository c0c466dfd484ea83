import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The peer's answer to every request. */
export interface FixedAnswer {
  status: number;
  headers: Record<string, string>;
  body?: string;
}

const koaProcess = fileURLToPath(new URL('./bare-koa-process.js', import.meta.url));

/** Starts bare Koa in a separate process: the limit for routes answered from memory. */
export async function startBareKoa(answer: FixedAnswer): Promise<{ url: string; pid: number; stop(): void }> {
  const child = fork(koaProcess, [JSON.stringify(answer)], {
    execPath: process.execPath,
    env: { ...process.env, NODE_ENV: 'production' },
  });
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`bare Koa ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.kill() };
}
