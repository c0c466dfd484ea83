import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildWorld } from '../support/factories/factories.js';
import { listen } from '../support/subscription.js';
import { openTestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

/** More than are read at once, and fewer than a client may leave unread. */
const STORED = 600;

const x = suite('events that are stored by one statement');

x('all arrive, each once, and so does whatever is stored next', async () => {
  const test = await openTestApp();
  try {
    const world = await buildWorld(test);
    const { app } = test;
    const query = 'subscription P($p: ID!) { projectChanged(projectId: $p) { objectId } }';
    const listening = await listen(test, world.owner, query, { p: world.projectId });
    const kind = 'changelog.entry.created';
    const store = async (name: string, count: number): Promise<void> => {
      await app.pool.query(
        `insert into event_log (id, kind, organization_id, project_id, object_type, object_id, actor_id, actor_email, request_id, data, created_at)
         select 'evt_' || $1 || n, $2, organization_id, id, 'changelog_entry', $1 || n::text, 'system:test', '', 'x',
                json_build_object('entry_id', 'entry', 'title', 'one of many'), now()
           from project, generate_series(1, $4) n where id = $3`,
        [name, kind, world.projectId, count],
      );
      app.parts.events.announce(kind, world.projectId);
    };
    const heard = () =>
      listening.results.map(({ data }) => String(data?.projectChanged?.objectId)).filter((id) => /first|next/.test(id));
    await store('first', STORED);
    await until('the events', () => heard().length >= STORED, 20_000);
    await store('next', 1);
    await until('the next', () => heard().includes('next1'), 20_000);
    assert.equal(heard(), [...Array.from({ length: STORED }, (_, at) => `first${at + 1}`), 'next1']);
    listening.close();
  } finally {
    await test.close();
  }
});

x.run();
