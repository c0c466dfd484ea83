import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memoryStore } from '../../src/sdk/core/key-value-store.js';
import type { EventHandlers, Platform } from '../../src/sdk/core/platform.js';
import { DefinitionFeed } from '../../src/sdk/node/definition-feed.js';

const x = suite('the feed of definitions');

const SECOND = 1_000;

x('tries streams again after a rest, however many broke before', async () => {
  let [at, asked] = [0, 0];
  let timers: { due: number; task: () => void }[] = [];
  const streams: EventHandlers[] = [];
  const platform: Platform = {
    store: memoryStore(),
    now: () => at,
    random: () => 0.5,
    uuid: () => 'uuid',
    request: async () => {
      asked += 1;
      return { status: 304, headers: { get: () => null }, text: async () => '' };
    },
    openEvents: (_url, _names, handlers) => {
      streams.push(handlers);
      return { close: () => undefined };
    },
    gzip: async () => null,
    later: (milliseconds, task) => {
      const timer = { due: at + milliseconds, task };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    warn: () => undefined,
  };
  const feed = new DefinitionFeed(
    { platform, url: 'https://example.com', key: 'k' },
    { stream: true, pollSeconds: 30, onDefinitions: () => undefined },
  );
  /** Lets time pass; every stream that is open breaks at once. */
  const pass = async (seconds: number): Promise<void> => {
    for (const until = at + seconds * SECOND; at < until; at += SECOND) {
      if (feed.isStreaming) streams.at(-1)?.failed();
      const due = timers.filter((timer) => timer.due <= at);
      timers = timers.filter((timer) => timer.due > at);
      for (const { task } of due) task();
      await new Promise(setImmediate);
    }
  };
  await feed.start();
  await pass(600);
  const [tried, polled] = [streams.length, asked];
  assert.ok(tried >= 10, `${tried} streams`);
  await pass(3_600);
  assert.ok(streams.length - tried >= 8 && streams.length - tried <= 13, `${streams.length - tried} in an hour`);
  assert.ok(asked - polled >= 100, 'polling goes on meanwhile');
  feed.stop();
});

x.run();
