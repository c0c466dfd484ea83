import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** Listens with room for one connection, and never takes one. */
const LISTENER = `
const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  require('node:fs').writeSync(1, String(server.address().port));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});`;

/** A host that drops the packets of everyone who connects. */
export async function openDroppingHost(): Promise<{ readonly url: string; close(): void }> {
  const listener = spawn(process.execPath, ['-e', LISTENER]);
  const [port] = await once(listener.stdout, 'data');
  const waiting: Socket[] = [];
  // Linux accepts one more than the room, and then drops.
  do {
    waiting.push(connect(Number(port), '127.0.0.1').on('error', () => undefined));
    await setTimeout(100);
  } while (!waiting.at(-1)?.connecting);
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      for (const socket of waiting) socket.destroy();
      listener.kill('SIGKILL');
    },
  };
}
