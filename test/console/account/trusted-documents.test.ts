import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { OwnDocuments } from '../../../src/graphql/http/own-documents.js';
import { hasChromium } from '../../browser/chromium.js';
import { buildMember } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { inConsole } from '../console-place.js';
import { openTab } from '../open-tab.js';

const trusted = suite('console: a server that runs only stored documents');

/** The addresses of the pages that show no single object, as in the console's route table. */
const PATHS = [...readFileSync('src/console/app/routes.tsx', 'utf8').matchAll(/^ {2}'(\/[^'$]*)': lazyPage/gm)].map(
  ([, path]) => path as string,
);

const here = inConsole(trusted, { settings: { GRAPHQL_DOCUMENTS: 'trusted' } });

if (hasChromium()) {
  trusted('an admin, who is no operator, signs in, sees every page and halts a flag', async () => {
    const { test, world, browser } = here;
    const admin = await buildMember(test, world, 'admin');
    const { key } = await buildFlag(world);
    const { page, faults, expectFault, goWithin, settle, close } = await openTab(browser, test.baseUrl);
    const place = (path: string) => `/p/${world.projectId}/live${path}`;
    await page.goto(place('/flags'));
    await expectFault('UNAUTHENTICATED');
    await page.getByLabel('Email').fill(admin.email);
    await page.getByLabel(/^Password/).fill(admin.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor();
    await settle();
    for (const path of PATHS.filter((path) => path !== '/' && path !== '/flags')) await goWithin(place(path));
    await goWithin(place(`/flags/${key}`));
    await page.getByRole('button', { name: /^Halt/ }).first().click();
    await page.getByLabel(/Reason/).fill('error rate');
    await page.getByRole('dialog').getByRole('button', { name: /^Halt/ }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await settle();
    assert.equal(faults, []);
    const body = { query: 'query Id { me { id } }' };
    assert.match((await admin.client.post('/graphql', body)).text, /DOCUMENT_NOT_TRUSTED/);
    await close();
  });
}

trusted('documents that could not be read once are read the next time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-documents-'));
  const file = join(folder, 'documents.json');
  const own = new OwnDocuments(pathToFileURL(file));
  await own.has('{ me { id } }').then(
    () => assert.unreachable(),
    ({ code }: NodeJS.ErrnoException) => assert.is(code, 'ENOENT'),
  );
  writeFileSync(file, '["{ me { id } }"]');
  assert.equal([await own.has('{ me { __typename id } }'), await own.has('{ me { email } }')], [true, false]);
  rmSync(folder, { recursive: true });
});

trusted('however many texts of a document are sent, and however long, little is kept of them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-documents-'));
  const file = join(folder, 'documents.json');
  writeFileSync(file, '["{ me { id } }"]');
  const own = new OwnDocuments(pathToFileURL(file));
  const heapAfter = async (texts: number, comment: string): Promise<number> => {
    for (let at = 0; at < texts; at += 1) assert.ok(await own.has(`#${comment}${at}\n{ me { id } }`));
    globalThis.gc?.();
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(1_000, '');
  assert.ok((await heapAfter(200, 'x'.repeat(200_000))) - before < 20_000_000, 'the texts are not kept');
  assert.ok((await heapAfter(40_000, '')) - before < 3_000_000, 'nor more than a thousand hashes');
  rmSync(folder, { recursive: true });
});

trusted.run();
