import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { EventDispatcher, type Reaction } from '../../src/events/dispatcher.js';
import { buildWorld } from '../support/factories/factories.js';
import { draftEntries } from '../support/factories/webhook-factory.js';
import { openTestApp } from '../support/test-app.js';

const KIND = 'changelog.entry.created';
const FAILING = 12;
const WELL = 9;

const x = suite('events of which a reaction fails');

x('do not hold up other events, and are dispatched once the reaction succeeds', async () => {
  const test = await openTestApp();
  try {
    const world = await buildWorld(test);
    const failing = new Set(await draftEntries(world, FAILING));
    const well = await draftEntries(world, WELL);
    failing.add(well.splice(4, 1)[0] as string);
    const reacted: string[] = [];
    const reaction: Reaction = {
      name: 'failing',
      matches: () => true,
      async react(ctx, events) {
        const ids = events.map(({ objectId }) => objectId);
        if (ids.some((id) => failing.has(id))) throw new Error('no');
        ctx.afterCommit(() => {
          reacted.push(...ids);
        });
      },
    };
    const { tx, shared, logger } = test.app.parts;
    const dispatcher = new EventDispatcher(tx, shared.broadcast, [reaction], logger, [KIND]);
    assert.is(await dispatcher.drain(), FAILING + WELL);
    assert.equal(reacted, well);
    assert.is(await dispatcher.drain(), 0);
    const late = [...failing];
    failing.clear();
    test.clock.advance(31_000);
    assert.is(await dispatcher.drain(), late.length);
    assert.equal(reacted, [...well, ...late]);
  } finally {
    await test.close();
  }
});

x.run();
