/**
 * `npm start`: builds what has changed in a process of its own, whose memory a server would otherwise keep, then serves
 * in this one, so that signals reach the server. V8's compile cache is kept in dist for later starts.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { requireNode24 } from './node-version.mjs';

requireNode24();

const build = spawn(process.execPath, [fileURLToPath(new URL('build.mjs', import.meta.url))], { stdio: 'inherit' });
let stopSignal;
const stop = (signal) => {
  stopSignal = signal;
  build.kill(signal);
};
process.on('SIGINT', stop).on('SIGTERM', stop);
const [exitCode] = await once(build, 'exit');
process.off('SIGINT', stop).off('SIGTERM', stop);
if (stopSignal) process.kill(process.pid, stopSignal);
if (exitCode !== 0) process.exit(exitCode ?? 1);

module.enableCompileCache(fileURLToPath(new URL('../dist/.compile-cache', import.meta.url)));
await import('../dist/server/main.js');
