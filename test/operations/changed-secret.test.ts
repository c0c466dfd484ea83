import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../harness/server-process.js';
import { Client } from '../support/client.js';
import { createTestDatabase } from '../support/database.js';
import { artifactOf, SMALL_MAP, uploadSymbols } from '../support/symbols/symbol-client.js';

const x = suite('two processes while their secret is changed');

const OLD = 'the secret that the processes had until now';
const NEW = 'the secret that the processes will have from now on';

x('links made by the process with the old secret work on the one with the new', async () => {
  const database = await createTestDatabase();
  const env = { DATABASE_URL: database.url, ROLE: 'api' };
  const servers: ServerProcess[] = [];
  try {
    const before = await startServerProcess({ env: { ...env, JWT_SECRET: OLD } });
    servers.push(before);
    const secrets = { JWT_SECRET: NEW, JWT_PREVIOUS_SECRETS: OLD };
    const after = await startServerProcess({ env: { ...env, ...secrets, FIRST_RUN: 'off' }, dataDir: before.dataDir });
    servers.push(after);
    const { sample, tokens } = await before.firstRun();
    const owner = new Client(before.url).withToken(tokens.owner);
    const uploaded = await uploadSymbols(
      owner,
      { name: 'app.js.map', bytes: SMALL_MAP },
      { kind: 'js_sourcemap', release: '1.0.0' },
    );
    const { symbolDownloadUrl, survey } = await owner.graphql<{
      symbolDownloadUrl: string;
      survey: { responsesDownloadUrl: string };
    }>('query($a: ID!, $s: ID!) { symbolDownloadUrl(id: $a) survey(id: $s) { responsesDownloadUrl(format: csv) } }', {
      a: artifactOf(uploaded).id,
      s: sample.survey_id,
    });
    for (const link of [symbolDownloadUrl, survey.responsesDownloadUrl]) {
      const { pathname, search } = new URL(link);
      for (const { url } of [before, after])
        assert.is((await new Client(url).get(pathname + search)).status, 200, link);
    }
    const foreign = await startServerProcess({
      env: { ...env, JWT_SECRET: NEW, FIRST_RUN: 'off' },
      dataDir: before.dataDir,
    });
    servers.push(foreign);
    const { pathname, search } = new URL(symbolDownloadUrl);
    assert.is((await new Client(foreign.url).get(pathname + search)).status, 403);
  } finally {
    for (const server of servers.reverse()) await server.stop();
    await database.drop();
  }
});

x.run();
