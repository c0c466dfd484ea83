import { createServer, type ServerResponse } from 'node:http';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openEventStream } from '../../src/sdk/node/event-source.js';
import { ownMilliseconds } from '../support/processor-time.js';
import { openLocally } from '../support/receivers/open-locally.js';

/** The events of a stream, each with its name and data, until the server ends it. */
async function eventsOf(write: (answer: ServerResponse) => Promise<void>): Promise<[name: string, data: string][]> {
  const server = createServer(async (_request, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' });
    await write(answer);
    answer.end();
  });
  const url = await openLocally(server);
  const events: [string, string][] = [];
  await new Promise<void>((failed) =>
    openEventStream(url, {}, { event: (...event) => events.push(event), failed }, () => () => undefined),
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return events;
}

const sent = (answer: ServerResponse, text: string): Promise<void> =>
  new Promise((resolve) => answer.write(text, () => setImmediate(resolve)));

const x = suite('event streams in Node');

x('are read wherever their bytes are split', async () => {
  const text =
    '\uFEFFevent: a\r\ndata: 1\r\n\r\n\n\ndata: 2\ndata: ä\n\r\n: alive\n\nevent: b\ndata:3\n\ndata: cut off';
  const events = await eventsOf(async (answer) => {
    for (const letter of text) await sent(answer, letter);
  });
  assert.equal(events, [
    ['a', '1'],
    ['message', '2\nä'],
    ['b', '3'],
  ]);
});

x('are read in time proportional to the length of an event', async () => {
  const piece = 'x'.repeat(4_096);
  const read = (pieces: number) =>
    ownMilliseconds(async () => {
      const [event] = await eventsOf(async (answer) => {
        await sent(answer, 'data: ');
        for (let at = 0; at < pieces; at++) await sent(answer, piece);
        await sent(answer, '\n\n');
      });
      assert.is(event?.[1].length, pieces * piece.length);
    }, 2);
  await read(100);
  const [one, eight] = [await read(500), await read(4_000)];
  assert.ok(eight < one * 16, `${eight} ms for eight times what took ${one} ms`);
});

x.run();
