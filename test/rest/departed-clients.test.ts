import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { send } from '../../rest/face/send.js';

const x = suite('clients that disconnect before their answer begins');

/** Answers one GET whose client is gone by then. */
async function answerNobody(answer: (response: ServerResponse) => Promise<void>): Promise<void> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nHost: here\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  client.destroy();
  await once(response, 'close');
  await answer(response);
  server.close();
}

x('the file that they asked for is closed', async () => {
  await answerNobody(async (response) => {
    const file = await open(fileURLToPath(import.meta.url));
    const broken: Error[] = [];
    const body = file.createReadStream();
    const closed = once(body, 'close');
    send(response, 'request', [], { status: 200, body }, (error) => broken.push(error));
    await closed;
    assert.is(file.fd, -1);
    assert.equal(broken, []);
  });
});

x.run();
