/**
 * A server that lets one caller stop all others, for the torture run to catch: it runs a caller's pattern in its event
 * loop, and inflates a caller's body into one string. It sends its port to its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

const ANSWER = JSON.stringify({ data: { createFlag: { id: 'x', key: 'x' } } });

const server = createServer(async (request, response) => {
  const body = await buffer(request);
  if (request.url === '/pattern') /^(a+)+$/.test(body.toString());
  if (request.url === '/gzip') JSON.stringify({ held: gunzipSync(body).toString().length });
  response.setHeader('content-type', 'application/json').end(ANSWER);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
