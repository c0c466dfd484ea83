import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type ServerProcess, startServerProcess } from '../../harness/server-process.js';
import { Client } from '../../support/client.js';
import { buildConfigItem } from '../../support/factories/config-factory.js';
import { buildWorld } from '../../support/factories/factories.js';
import { openTestApp } from '../../support/test-app.js';

/** More than the list shows. */
const CHANGES = 160;
const AT_ONCE = 32;

const concurrency = suite('concurrent changes of one config item');

interface Version {
  id: string;
  version_number: number;
}

concurrency('from two processes append one version each, without a gap, and never fail', async () => {
  const test = await openTestApp();
  let other: ServerProcess | undefined;
  try {
    const world = await buildWorld(test);
    const { token } = world.owner;
    const env = { DATABASE_URL: test.databaseUrl, JWT_SECRET: test.jwtSecret, FIRST_RUN: 'off', LOG_LEVEL: 'error' };
    other = await startServerProcess({ env });
    const clients = [world.owner.client, new Client(other.url).withToken(token)];
    const { id: itemId } = await buildConfigItem(world, { type: 'int', value: '1' });
    const versions = async (): Promise<Version[]> => {
      const { body } = await world.owner.client.get(`/api/v1/config/items/${itemId}/versions`);
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
    await other?.stop();
    await test.close();
  }
});

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
