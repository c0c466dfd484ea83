import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EVENTS } from '../../src/events/event-notices.js';
import { EventStream } from '../support/event-stream.js';
import { buildWorld } from '../support/factories/factories.js';
import { openTestApp } from '../support/test-app.js';
import { until } from '../support/until.js';

const x = suite('a change whose process dies before it tells the others');

x('reaches their streams once a worker finds its event; a change that was told makes nobody look twice', async () => {
  const test = await openTestApp({ worker: true });
  const world = await buildWorld(test);
  const { broadcast } = test.app.parts.shared;
  const create = (key: string) =>
    world.owner.client.graphql('mutation($i: CreateConfigItemInput!) { createConfigItem(input: $i) { id } }', {
      i: { projectId: world.projectId, environment: 'live', key, type: 'bool', value: 'true' },
    });
  const stream = await EventStream.open(`${test.baseUrl}/api/v1/stream`, { 'x-api-key': world.keys.live });
  try {
    await stream.next('ready');
    let missed = 0;
    broadcast.subscribe(EVENTS, (message) => {
      if (message === null) missed += 1;
    });
    await create('told');
    await stream.next('config');
    const { publish } = broadcast;
    broadcast.publish = () => undefined;
    await create('untold');
    broadcast.publish = publish;
    const before = stream.events.length;
    await until('all look again', () => missed > 0);
    await stream.next('config', before);
    assert.is(missed, 1);
  } finally {
    stream.close();
    await test.close();
  }
});

x.run();
