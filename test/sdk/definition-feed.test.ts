import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventHandlers, HttpAnswer, HttpRequest, OpenEvents } from '../../src/sdk/core/platform.js';
import { DefinitionFeed, type FeedOptions } from '../../src/sdk/node/definition-feed.js';
import type { Definitions } from '../../src/sdk/node/definitions.js';
import { MovedPlatform } from './moved-platform.js';

const x = suite('the feed of definitions');

const SECOND = 1_000;

const definitionsCalled = (name: string): Definitions => ({
  flags: [],
  config: [{ key: 'name', type: 'string', version: 1, value: name, rules: [] }],
});

/** A server that has nothing new, but may first ask for a pause. */
class StreamingPlatform extends MovedPlatform {
  asked = 0;
  readonly streams: EventHandlers[] = [];
  readonly pauses: string[] = [];
  readonly refusals: number[] = [];
  /** Names of the definitions that it serves in turn, the last one forever. */
  versions: string[] = [];

  async request(_url: string, { headers }: HttpRequest): Promise<HttpAnswer> {
    this.asked += 1;
    const pause = this.pauses.shift() ?? null;
    const version = (this.versions.length > 1 ? this.versions.shift() : this.versions[0]) ?? headers['if-none-match'];
    const refusal = pause ? 429 : this.refusals.shift();
    const status = version === headers['if-none-match'] ? 304 : 200;
    return {
      status: refusal ?? status,
      headers: { get: (name) => (name === 'etag' ? (version ?? null) : pause) },
      text: async () => JSON.stringify(refusal ? { error: 'refused' } : definitionsCalled(version ?? '')),
    };
  }

  override openEvents(_url: string, _names: readonly string[], handlers: EventHandlers): OpenEvents {
    this.streams.push(handlers);
    return { close: () => undefined };
  }

  override random(): number {
    return 0;
  }
}

const feedOn = (platform: StreamingPlatform, told: Partial<FeedOptions> = {}): DefinitionFeed =>
  new DefinitionFeed(
    { platform, url: 'https://example.com', key: 'k' },
    {
      stream: true,
      pollSeconds: 30,
      onDefinitions: () => undefined,
      onReachable: () => undefined,
      problem: () => 'refused',
      ...told,
    },
  );

x('retries streams after a rest, however many broke before and whatever the clock does', async () => {
  const platform = new StreamingPlatform();
  const { streams } = platform;
  const feed = feedOn(platform);
  /** Lets time pass; every open stream breaks at once. */
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second += 1) {
      if (feed.isStreaming) streams.at(-1)?.failed();
      await platform.pass(SECOND);
    }
  };
  await feed.start();
  await pass(600);
  const [tried, polled] = [streams.length, platform.asked];
  assert.ok(tried >= 10, `${tried} streams`);
  platform.setClock(-86_400 * SECOND);
  await pass(3_600);
  assert.ok(streams.length - tried >= 8 && streams.length - tried <= 13, `${streams.length - tried} in an hour`);
  assert.ok(platform.asked - polled >= 100, 'polling continues meanwhile');
  feed.stop();
});

x('keeps what the stream brought when a lagging server process answers a poll', async () => {
  const platform = new StreamingPlatform();
  const { streams } = platform;
  const taken: (string | undefined)[] = [];
  const feed = feedOn(platform, { onDefinitions: ({ config }) => void taken.push(config[0]?.value) });
  platform.versions = ['first'];
  await feed.start();
  streams[0]?.event('put', JSON.stringify({ etag: 'second', definitions: definitionsCalled('second') }));
  platform.versions = ['first', 'second'];
  await platform.pass(300 * SECOND);
  assert.equal([taken.splice(0), platform.asked], [['first', 'second'], 2]);
  await platform.pass(6 * SECOND);
  assert.equal([taken.splice(0), platform.asked], [[], 3], 'it asks again once no process lags behind any more');
  platform.versions = ['third'];
  await platform.pass(300 * SECOND);
  await platform.pass(6 * SECOND);
  assert.equal([taken.splice(0), platform.asked], [['third'], 5], 'what the server still says then is newer');
  platform.versions = ['third', 'fifth'];
  streams[0]?.event('patch', JSON.stringify({ from: 'fourth', etag: 'fifth' }));
  await platform.pass(0);
  await platform.pass(6 * SECOND);
  assert.equal([taken, platform.asked], [['fifth'], 7], 'the change reported by the stream is not given up');
  feed.stop();
});

x('applies changes to definitions whose ETag a compressing proxy has marked', async () => {
  for (const marked of ['W/"first"', '"first-gzip"', '"first"']) {
    const platform = new StreamingPlatform();
    const taken: (string | undefined)[] = [];
    const feed = feedOn(platform, { onDefinitions: ({ config }) => void taken.push(config[0]?.value) });
    platform.versions = [marked];
    await feed.start();
    const [{ key, type, version }] = definitionsCalled('').config as [Definitions['config'][number]];
    const config = { put: [{ key, type, version, value: 'second', rules: [] }], delete: [] };
    const patch = { from: '"first"', etag: '"second"', flags: { put: [], delete: [] }, config };
    platform.streams[0]?.event('patch', JSON.stringify(patch));
    assert.equal([taken, platform.asked], [[marked, 'second'], 1], marked);
    feed.stop();
  }
});

x('asks no sooner than the server says', async () => {
  const platform = new StreamingPlatform();
  platform.pauses.push('60');
  const feed = feedOn(platform);
  await feed.start();
  await platform.pass(60 * SECOND - 1);
  assert.is(platform.asked, 1);
  await platform.pass(1);
  assert.is(platform.asked, 2);
  feed.stop();
});

x('reports the server as reachable for each of its answers, but not for those a proxy may have given', async () => {
  const platform = new StreamingPlatform();
  platform.pauses.push('1');
  platform.refusals.push(502, 403);
  let told = 0;
  const feed = feedOn(platform, {
    onReachable: () => {
      told += 1;
    },
  });
  await feed.start();
  await feed.refresh();
  assert.is(told, 0);
  await feed.refresh();
  assert.is(told, 1);
  await feed.refresh();
  platform.streams.at(-1)?.event('ready', '{}');
  assert.is(told, 3);
  feed.stop();
});

x('tells once why there are no definitions: at once if there never were any, otherwise when it lasts', async () => {
  const platform = new StreamingPlatform();
  const away = (times: number): number => platform.refusals.push(...Array<number>(times).fill(502));
  const feed = feedOn(platform);
  away(2);
  await feed.start();
  assert.equal(platform.warnings.splice(0), [
    'Quarterdeck: https://example.com answered 502 without definitions. Check the url, the network and any proxy. Until the server answers, flags and config keep their last values, or the fallbacks.',
  ]);
  for (let time = 0; time < 2; time += 1) await feed.refresh();
  away(3);
  for (let time = 0; time < 4; time += 1) await feed.refresh();
  assert.equal(platform.warnings, [], 'not about a restart');
  away(6);
  for (let time = 0; time < 7; time += 1) await feed.refresh();
  assert.is(platform.warnings.length, 1);
  feed.stop();
});

x.run();
