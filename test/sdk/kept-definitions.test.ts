import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

/** Writes the file again and again, and reads what is there in between. */
const WRITER = `
const { parentPort, workerData: { library, file } } = require('node:worker_threads');
import(library).then(({ keep, readKept }) => {
  const item = (key) => ({ key, type: 'string', version: 1, value: 'x'.repeat(50), rules: [] });
  const definitions = { flags: [], config: Array.from({ length: 500 }, (_, at) => item(String(at))) };
  const faults = new Set();
  for (let time = 0; time < 50; time += 1) {
    faults.add(keep(file, definitions));
    if (readKept(file) === null) faults.add('a part of it');
  }
  parentPort.postMessage([...faults]);
});`;

const x = suite('the file of the last definitions');

x('is always whole, however many threads write it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-kept-'));
  const library = new URL('../../src/sdk/node/kept-definitions.js', import.meta.url).href;
  const workerData = { library, file: join(folder, 'definitions.json') };
  const written = (): Promise<unknown> =>
    new Promise((resolve, reject) => {
      new Worker(WRITER, { eval: true, workerData }).on('message', resolve).on('error', reject);
    });
  assert.equal(await Promise.all([written(), written(), written()]), [[null], [null], [null]]);
  assert.equal(await readdir(folder), ['definitions.json']);
  await rm(folder, { recursive: true });
});

x.run();
