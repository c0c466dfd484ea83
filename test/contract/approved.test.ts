import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Route } from '../../rest/route.js';
import { restRoutes } from '../../rest/routes.js';
import { openTestApp } from '../support/test-app.js';
import { errorsText, pathsText } from './wire-text.js';

const folder = join(dirname(fileURLToPath(import.meta.url)), '../../../test/contract/approved');
let routes: Route[];

const approved = suite('approved wire');

approved.before(async () => {
  const test = await openTestApp();
  routes = restRoutes(test.app);
  await test.close();
});

/** APPROVE=1 writes the file instead: run `APPROVE=1 npm test -- approved`, then look at the diff. */
function compare(name: string, text: string): void {
  const file = join(folder, name);
  if (process.env.APPROVE === '1') writeFileSync(file, text);
  assert.fixture(
    text,
    readFileSync(file, 'utf8'),
    `${name} differs; if that is intended: APPROVE=1 npm test -- approved`,
  );
}

approved('the paths of the REST API', () => compare('rest-paths.txt', pathsText(routes)));

approved('the error tables of the REST API', () => compare('rest-errors.txt', errorsText(routes)));

approved('no path is served by two routes', () => {
  const seen = routes.flatMap(({ method, path, aliases = [] }) => [path, ...aliases].map((one) => `${method} ${one}`));
  assert.equal(seen.length, new Set(seen).size);
});

approved.run();
