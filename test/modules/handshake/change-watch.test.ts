import { setImmediate as turn } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventNotice } from '../../../src/events/event-notices.js';
import { createLogger } from '../../../src/kernel/logger.js';
import type { ProjectEnvironment } from '../../../src/modules/handshake/decision-sources.js';
import { ChangeWatch } from '../../../src/modules/handshake/streams/change-watch.js';
import type { Versions } from '../../../src/modules/handshake/streams/versions.js';
import { until } from '../../support/until.js';

const x = suite('the change watch');
const place: ProjectEnvironment = { projectId: 'p', environment: 'live' };
const CHANGES = 100;

x('when changes arrive faster than they are read, no caller waits for the last one, and all are reported', async () => {
  let changes = 0;
  const changed = { kind: 'config.item.changed', projectId: 'p', environment: 'live' } as EventNotice;
  const watch: ChangeWatch = new ChangeWatch(async () => {
    await turn();
    const read = String(changes);
    if (changes < CHANGES) {
      changes += 1;
      watch.onNotice(changed);
    }
    return { config: read } as Versions;
  }, createLogger('silent'));
  const heard: string[] = [];
  watch.listen(place, { changed: ({ config }) => heard.push(config) });
  await watch.versions(place);
  assert.ok(changes < CHANGES, `answered after ${changes} changes`);
  await until('the last change', () => heard.at(-1) === String(CHANGES));
  watch.close();
});

x.run();
