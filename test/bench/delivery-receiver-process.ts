/**
 * The process that receives deliveries. It answers every POST with 200 and, when sent `{expect: n}`, reports the
 * milliseconds between the first and the n-th delivery received after that.
 */
import { createServer } from 'node:http';

let expected = 0;
let seen = 0;
let firstAt = 0;

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.end('ok');
    seen += 1;
    if (seen === 1) firstAt = performance.now();
    if (seen === expected) process.send?.({ elapsedMs: performance.now() - firstAt });
  });
});
process.on('message', (message: { expect: number }) => {
  expected = message.expect;
  seen = 0;
});
process.once('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.({ port: typeof address === 'object' ? address?.port : 0 });
});
