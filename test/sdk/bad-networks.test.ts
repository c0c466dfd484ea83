import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DecisionClient } from '../../src/sdk/core/decision-client.js';
import { LiveUpdates } from '../../src/sdk/core/live-updates.js';
import type { EventHandlers, HttpAnswer, OpenEvents } from '../../src/sdk/core/platform.js';
import { DefinitionFeed } from '../../src/sdk/node/definition-feed.js';
import { MovedPlatform } from './moved-platform.js';
import { add, outboxOn, ScriptedPlatform } from './scripted-platform.js';

const SECOND = 1_000;
const HOUR_SECONDS = 3_600;

/** What becomes of a stream, told when it opens. */
type Fate = (handlers: EventHandlers, later: MovedPlatform['later']) => void;

const READY: Fate = ({ event }) => event('ready', '{}');

/** Behind a proxy that answers every request, but treats streams in its own way. */
class ProxiedPlatform extends MovedPlatform {
  asked = 0;
  opened = 0;
  answers: { readonly status: number; readonly retryAfter?: string; readonly text?: string }[] = [];

  constructor(private readonly fate: Fate) {
    super();
  }

  async request(): Promise<HttpAnswer> {
    this.asked += 1;
    const { status, retryAfter, text } = this.answers.shift() ?? { status: 200 };
    const headers: Record<string, string | undefined> = {
      etag: '"v1"',
      'quarterdeck-stream': '/api/v1/stream?ticket=t',
      'retry-after': retryAfter,
    };
    return {
      status,
      headers: { get: (name) => headers[name] ?? null },
      text: async () => text ?? '{"modules":{},"flags":[],"config":[]}',
    };
  }

  override openEvents(_url: string, _names: readonly string[], handlers: EventHandlers): OpenEvents {
    this.opened += 1;
    let isOpen = true;
    const told: EventHandlers = {
      event: (name, data) => isOpen && handlers.event(name, data),
      failed: () => isOpen && handlers.failed(),
    };
    this.later(10, () => this.fate(told, this.later.bind(this)));
    return {
      close: () => {
        isOpen = false;
      },
    };
  }

  /** Lets time pass by the second. */
  async passSeconds(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) await this.pass(SECOND);
  }
}

const nothing = (): void => undefined;

const ofBrowser = (platform: ProxiedPlatform) => {
  const connection = { platform, url: 'https://server', key: 'sk_live_1' };
  const decisions = new DecisionClient(connection, 'answer', { distinct_id: 'ada' }, {});
  const told = { onNotice: nothing, onSurveys: nothing, onReachable: nothing };
  const live = new LiveUpdates(connection, decisions, { stream: true, pollSeconds: 30, ...told });
  return { start: () => live.lead(), stop: () => live.stop('resting') };
};

const ofNode = (platform: ProxiedPlatform) => {
  const connection = { platform, url: 'https://server', key: 'sk_live_1' };
  const told = { onDefinitions: nothing, onReachable: nothing, problem: () => '' };
  const feed = new DefinitionFeed(connection, { stream: true, pollSeconds: 30, ...told });
  return { start: () => void feed.start(), stop: () => feed.stop() };
};

const x = suite('on a bad network');

x('a queue that is refused while the server answers other requests is tried once for each answer', async () => {
  const platform = new ScriptedPlatform([{ status: 502, text: '<!doctype html>' }]);
  const outbox = outboxOn(platform);
  add(outbox, 'a');
  await outbox.flush();
  for (let poll = 0; poll < 20; poll += 1) {
    outbox.reachable();
    for (let second = 0; second < 30; second += 1) await platform.pass(SECOND);
  }
  assert.ok(platform.batches.length <= 30, `${platform.batches.length} requests in ten minutes`);
});

for (const [library, begin] of Object.entries({ browser: ofBrowser, Node: ofNode })) {
  x(`streams that break at once are opened less and less often, then polled: ${library}`, async () => {
    const platform = new ProxiedPlatform((handlers, later) => {
      READY(handlers, later);
      later(SECOND, () => handlers.failed());
    });
    const { start, stop } = begin(platform);
    start();
    await platform.passSeconds(HOUR_SECONDS);
    stop();
    assert.ok(platform.asked >= 90 && platform.asked <= 140, `${platform.asked} requests in an hour`);
    assert.ok(platform.opened <= 140, `${platform.opened} streams in an hour`);
  });

  x(`a stream that lasted is opened again at once: ${library}`, async () => {
    const platform = new ProxiedPlatform((handlers, later) => {
      READY(handlers, later);
      later(60 * SECOND, () => handlers.failed());
    });
    const { start, stop } = begin(platform);
    start();
    await platform.passSeconds(HOUR_SECONDS);
    stop();
    assert.ok(platform.opened >= 55, `${platform.opened} streams in an hour`);
  });

  x(`a stream that breaks does not end a pause that the server asked for: ${library}`, async () => {
    const platform = new ProxiedPlatform((handlers, later) => {
      READY(handlers, later);
      later(400 * SECOND, () => handlers.failed());
    });
    const { start, stop } = begin(platform);
    start();
    await platform.passSeconds(200);
    platform.answers = [{ status: 503, retryAfter: '600' }];
    await platform.passSeconds(700);
    stop();
    assert.equal([platform.asked, platform.opened], [2, 1]);
  });
}

x('a browser polls while a proxy holds back its stream', async () => {
  const platform = new ProxiedPlatform(nothing);
  const { start, stop } = ofBrowser(platform);
  start();
  await platform.passSeconds(HOUR_SECONDS);
  stop();
  assert.ok(platform.asked >= 50 && platform.asked <= 130, `${platform.asked} requests in an hour`);
});

x('a proxy that starts before its server is asked again soon for definitions', async () => {
  const platform = new ProxiedPlatform(READY);
  platform.answers = [404, 403].map((status) => ({ status, text: `<h1>${status}</h1>` }));
  const { start, stop } = ofNode(platform);
  start();
  await platform.passSeconds(10);
  stop();
  assert.is(platform.opened, 1);
});

x.run();
