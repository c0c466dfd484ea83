import * as assert from 'uvu/assert';
import { EventStream } from '../../support/event-stream.js';
import type { World } from '../../support/factories/factories.js';
import { buildFlag } from '../../support/factories/flag-factory.js';
import { worldSuite } from '../../support/factories/world-suite.js';

const x = worldSuite("streams of OpenFeature's evaluation");

interface Bulk {
  flags: unknown[];
  eventStreams: { type: string; endpoint: { requestUri: string }; inactivityDelaySec: number }[];
}

const evaluate = ({ live }: World, headers: Record<string, string> = {}, query = '') =>
  live.post(`/ofrep/v1/evaluate/flags${query}`, { context: { targetingKey: 'u' } }, headers);

x('the bulk answer names a stream that reports later changes, and sends passes along', async ({ test, world }) => {
  const { key } = await buildFlag(world);
  const answer = await evaluate(world);
  const [stream] = (answer.body as Bulk).eventStreams;
  assert.is(stream?.type, 'sse');
  assert.is(stream?.inactivityDelaySec, 120);
  await world.live.post('/api/switch/halt-webhook', { flag_key: key, reason: 'x' });
  const opened = await EventStream.open(test.baseUrl + (stream?.endpoint.requestUri ?? ''));
  const ready = await opened.next('message');
  assert.equal(ready.data, { type: 'ready' });
  const notice = await opened.next('message', 1);
  assert.is(notice.data.type, 'refetchEvaluation');
  assert.is(typeof notice.data.lastModified, 'number');
  const before = await evaluate(world);
  const { counters } = test.app.parts.shared;
  const pass = String(notice.data.etag);
  const query = `?${new URLSearchParams({ flagConfigEtag: pass, flagConfigLastModified: '1' })}`;
  const again = await evaluate(world, {}, query);
  assert.is(again.status, 200);
  assert.is(
    await counters.read(`refetch:${pass.slice(1, -1).split('.').slice(0, 3).join('.')}`),
    1,
    'the pass was used',
  );
  assert.is(again.headers.get('etag'), before.headers.get('etag'));
  opened.close();
});

x('the tag stays while the ticket does, whatever changes that the answer does not show', async ({ test, world }) => {
  await buildFlag(world, { key: 'known' });
  const first = await evaluate(world);
  const etag = first.headers.get('etag') ?? '';
  assert.is((await evaluate(world, { 'if-none-match': etag })).status, 304);
  const addressOf = ({ body }: { body: unknown }) => (body as Bulk).eventStreams[0]?.endpoint.requestUri ?? '';
  assert.is(
    addressOf(await evaluate(world)),
    addressOf(first),
    'the same bytes, so that providers keep their connection',
  );
  test.clock.advance(3_600_000);
  const later = await evaluate(world, { 'if-none-match': etag });
  assert.is(later.status, 200, 'another hour, another ticket');
  assert.not.equal(addressOf(later), addressOf(first));
  assert.equal((later.body as Bulk).flags, (first.body as Bulk).flags);
  const old = await EventStream.open(test.baseUrl + addressOf(first));
  assert.is(old.status, 200, "the previous hour's ticket is still good");
  old.close();
});

x.run();
