import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { DecisionClient } from '../../src/sdk/core/decision-client.js';
import { LiveUpdates } from '../../src/sdk/core/live-updates.js';
import type { EventHandlers } from '../../src/sdk/core/platform.js';
import { MovedPlatform } from './moved-platform.js';

/** Server processes, each of which answers with the version it has heard of. */
class StreamingPlatform extends MovedPlatform {
  asked = 0;
  version = 'v1';
  stream: EventHandlers | null = null;

  async request() {
    this.asked += 1;
    const headers: Record<string, string> = {
      'quarterdeck-stream': `/api/v1/stream?ticket=t&last_event_id=${this.version}.c.d`,
    };
    return {
      status: 200,
      headers: { get: (name: string) => headers[name] ?? null },
      text: async () => '{"modules":{}}',
    };
  }

  override openEvents(_url: string, _names: readonly string[], handlers: EventHandlers) {
    this.stream = handlers;
    return { close: () => undefined };
  }
}

const x = suite('live updates of the client core');

x('ask again within seconds if the answer to a notice is older than the change', async () => {
  const platform = new StreamingPlatform();
  const connection = { platform, url: 'https://server', key: 'sk_live_1' };
  const nothing = () => undefined;
  const live = new LiveUpdates(connection, new DecisionClient(connection, 'answer', { distinct_id: 'ada' }, {}), {
    stream: true,
    pollSeconds: 30,
    onNotice: nothing,
    onSurveys: nothing,
    onReachable: nothing,
  });
  live.lead();
  await platform.pass(0);
  platform.stream?.event('switch', JSON.stringify({ etag: '"v2"', refetch: 'pass' }));
  await platform.pass(6_000);
  assert.is(platform.asked, 2);
  platform.version = 'v2';
  await platform.pass(6_000);
  assert.is(platform.asked, 3);
  await platform.pass(240_000);
  assert.is(platform.asked, 3);
  live.stop('resting');
});

x.run();
