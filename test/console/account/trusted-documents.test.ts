import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
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

trusted.run();
