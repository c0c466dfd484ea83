import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sharedCorpus } from '../runner/shared-suite.js';
import { NAMES, RECEIVERS, TESTED_ELSEWHERE } from '../support/bad-inputs/bad-deliveries.js';

interface Line {
  method: string;
  gen?: { case: string };
}

const bad = suite('bad deliveries of the corpus');

bad('every one is tested', () => {
  const known = new Set([RECEIVERS, NAMES, TESTED_ELSEWHERE].flatMap((table) => Object.keys(table)));
  const lines = readFileSync(join(sharedCorpus, 'checks/badinputs.jsonl'), 'utf8').split('\n').filter(Boolean);
  const deliveries = lines.map((line) => JSON.parse(line) as Line).filter(({ method }) => method === 'DELIVERY');
  assert.ok(deliveries.length > 0);
  assert.equal(
    deliveries.map(({ gen }) => gen?.case).filter((name) => name === undefined || !known.has(name)),
    [],
  );
});

bad.run();
