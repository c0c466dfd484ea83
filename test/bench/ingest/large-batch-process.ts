/**
 * Sends one batch of a given size over HTTP and reports how long it took: `node large-batch-process.js <url> <key>
 * <bytes>`. It repeats one block of operations, so that the generator costs little. Sends `{seconds, status, events}`
 * over IPC.
 */
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { sampleOperation } from './ingest-project.js';

const BLOCK_OPERATIONS = 10_000;

/** The operations of one block, each followed by a comma. */
export const block = (): Buffer =>
  Buffer.from(`${Array.from({ length: BLOCK_OPERATIONS }, (_, i) => JSON.stringify(sampleOperation(i))).join(',')},`);

const OPEN = '{"operations":[';
const CLOSE = `${JSON.stringify(sampleOperation(0))}]}`;

async function send(url: string, key: string, bytes: number): Promise<object> {
  const operations = block();
  const blocks = Math.floor(bytes / operations.length);
  const length = OPEN.length + blocks * operations.length + CLOSE.length;
  const begun = performance.now();
  const outgoing = request(`${url}/api/v1/batch`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', 'content-length': length },
  });
  const answer = new Promise<{ status: number; body: string }>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', async (response) =>
      resolve({ status: response.statusCode ?? 0, body: await text(response) }),
    );
  });
  outgoing.write(OPEN);
  for (let i = 0; i < blocks; i++) {
    if (!outgoing.write(operations)) await new Promise((resolve) => outgoing.once('drain', resolve));
  }
  outgoing.end(CLOSE);
  const { status, body } = await answer;
  const { events_received: events } = JSON.parse(body) as { events_received?: number };
  return { seconds: (performance.now() - begun) / 1_000, status, events: events ?? 0, blocks, bytes: length };
}

const [url, key, bytes] = process.argv.slice(2);
if (url && key && process.send) {
  process.send(await send(url, key, Number(bytes)));
  process.disconnect();
}
