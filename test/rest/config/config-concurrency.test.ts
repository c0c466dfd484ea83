import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../../harness/server-process.js';
import { Client } from '../../support/client.js';
import { createTestDatabase } from '../../support/database.js';

/** More than the list shows. */
const CHANGES = 160;
const AT_ONCE = 32;

const concurrency = suite('concurrent changes of one config item');

interface Version {
  id: string;
  version_number: number;
}

concurrency('from two processes append one version each, without a gap, and never fail', async () => {
  const database = await createTestDatabase();
  const settings = { DATABASE_URL: database.url, LOG_LEVEL: 'error', JWT_SECRET: 'one secret for both processes, 32+' };
  const servers: ServerProcess[] = [];
  try {
    servers.push(
      ...(await Promise.all([startServerProcess({ env: settings }), startServerProcess({ env: settings })])),
    );
    const first = await firstRunOf(servers);
    const clients = servers.map((server) => new Client(server.url).withToken(first.tokens.owner));
    const itemId = first.sample.config_item_id;
    const versions = async (): Promise<Version[]> => {
      const { body } = await (clients[0] as Client).get(`/api/v1/config/items/${itemId}/versions`);
      return (body as { versions: Version[] }).versions;
    };
    const before = await versions();
    const oldest = before.at(-1) as Version;
    const statuses = new Map<number, number>();
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let turn = next++; turn < CHANGES; turn = next++) {
        const client = clients[turn % 2] as Client;
        const status = turn % 4 < 2 ? await change(client, itemId, turn) : await rollBack(client, itemId, oldest.id);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
    assert.equal([...statuses], [[200, CHANGES]]);
    const after = await versions();
    assert.is(after.length, 100, 'the list is capped');
    const newest = (before[0] as Version).version_number + CHANGES;
    assert.equal(
      after.map((version) => version.version_number),
      Array.from({ length: 100 }, (_, index) => newest - index),
    );
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  }
});

/** Both processes start at once on the empty database; one of them makes the demo project. */
async function firstRunOf(servers: ServerProcess[]) {
  const found = await Promise.allSettled(servers.map((server) => server.firstRun()));
  const made = found.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  assert.is(made.length, 1, 'one process makes the demo project');
  return made[0] as Awaited<ReturnType<ServerProcess['firstRun']>>;
}

/** Each value is new, so each change appends a version. */
async function change(client: Client, itemId: string, turn: number): Promise<number> {
  const { updateConfigItem } = await client.graphql<{ updateConfigItem: { id: string } | null }>(
    'mutation($input: UpdateConfigItemInput!) { updateConfigItem(input: $input) { id } }',
    { input: { id: itemId, value: String(1_000 + turn) } },
  );
  return updateConfigItem ? 200 : 500;
}

async function rollBack(client: Client, itemId: string, versionId: string): Promise<number> {
  return (await client.post(`/api/v1/config/items/${itemId}/rollback`, { version_id: versionId })).status;
}

concurrency.run();
