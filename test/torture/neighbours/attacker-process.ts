/**
 * The attacker's process: takes one order over IPC, sends its requests at a bounded rate, and answers `stop` with its
 * count.
 */
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackOrder, AttackRequest } from './attack.js';

const MEBIBYTE = 1024 * 1024;
const LONGEST_READ = 64 * 1024;
const run = `${process.pid.toString(36)}${Date.now().toString(36)}`;
const statuses: Record<string, number> = {};
let sent = 0;

process.once('message', (message) => {
  const order = message as AttackOrder & { url: string };
  void attack(order);
  process.once('message', () => process.send?.({ sent, statuses }));
});

async function attack({
  url,
  requests,
  blobs = [],
  perSecond,
  mostUnderWay,
}: AttackOrder & { url: string }): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: mostUnderWay });
  const bytes = blobs.map((blob) => Buffer.from(blob, 'base64'));
  let underWay = 0;
  for (let due = performance.now(); ; due += 1_000 / perSecond) {
    await sleep(Math.max(0, due - performance.now()));
    if (underWay >= mostUnderWay) continue;
    const request = requests[sent % requests.length] as AttackRequest;
    sent += 1;
    underWay += 1;
    void send(url, agent, request, bytes).then((status) => {
      underWay -= 1;
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
  }
}

function send(
  url: string,
  agent: Agent,
  { method, path, headers, body, blob, stalls }: AttackRequest,
  blobs: readonly Buffer[],
): Promise<string> {
  const text = body?.replaceAll('{{n}}', `${run}-${sent}`) ?? '';
  const content = blob === undefined ? Buffer.from(text) : (blobs[blob] as Buffer);
  const length = content.byteLength + (stalls ? MEBIBYTE : 0);
  return new Promise((resolve) => {
    const options = { method, agent, headers: { ...headers, 'content-length': String(length) } };
    const request = httpRequest(new URL(path, url), options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        if (text.length < LONGEST_READ) text += chunk;
      });
      // GraphQL reports in the body what REST reports in the status.
      response.once('close', () => resolve(/"code":"([A-Z_]+)"/.exec(text)?.[1] ?? String(response.statusCode)));
    });
    request.once('error', () => resolve('none'));
    if (stalls) request.write(content);
    else request.end(content);
  });
}
