import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { sendRequest } from '../../src/sdk/node/http-request.js';
import { openDroppingHost } from '../support/receivers/dropping-host.js';
import { openLocally } from '../support/receivers/open-locally.js';

const { signal } = new AbortController();

const x = suite('requests of @quarterdeck/node');

x('follow redirects with their method and body, but not forever, and read compressed answers', async () => {
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    if (request.url === '/packed') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('zipped'));
    else if (request.url === '/moved') response.writeHead(301, { location: 'new' }).end();
    else if (request.url === '/circle') response.writeHead(308, { location: '/circle' }).end('round');
    else response.end(`${request.method} ${request.url} ${request.headers['x-api-key']} ${body}`);
  });
  const url = await openLocally(server);
  const headers = { 'x-api-key': 'key' };
  const told = async (path: string, body?: string) => {
    const method = body === undefined ? 'GET' : 'POST';
    const answer = await sendRequest(url + path, { method, headers, ...(body && { body }) }, signal);
    return [answer.status, await answer.text()];
  };
  assert.equal(await told('/packed'), [200, 'zipped']);
  assert.equal(await told('/moved'), [200, 'GET /new key ']);
  assert.equal(await told('/moved', 'body'), [200, 'POST /new key body']);
  assert.equal(await told('/circle'), [308, 'round']);
  await new Promise((resolve) => server.close(resolve));
});

/** Ends at once, with or without something to send. */
const PROGRAM = (library: string, url: string, more: string): string => `
  import { createQuarterdeck } from ${JSON.stringify(library)};
  const library = createQuarterdeck({ url: ${JSON.stringify(url)}, key: 'sk_live_1', exitMs: 100, warn: console.log });
  ${more}`;

x('do not hold a program that is done when the host drops every packet', async () => {
  const host = await openDroppingHost();
  const library = `${process.cwd()}/dist/src/sdk/node/quarterdeck.js`;
  // The machine's Node is often older than that of the tests.
  for (const [more, left] of [
    ['', false],
    ["library.track('u', 'waits');", true],
  ] as const)
    for (const node of new Set([process.execPath, process.env.npm_node_execpath ?? process.execPath])) {
      const { stdout } = await promisify(execFile)(node, [
        '--input-type=module',
        '-e',
        PROGRAM(library, host.url, more),
      ]);
      assert.match(stdout, 'the program ended before there was a connection');
      assert.is(stdout.includes('some data could not be sent'), left, stdout);
    }
  host.close();
});

x.run();
