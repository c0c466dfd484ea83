/** The peer's process: Koa answering every request with the same bytes. `node bare-koa-process.js '<JSON>'`. */
import Koa from 'koa';
import type { FixedAnswer } from './bare-koa.js';

const answer = JSON.parse(process.argv[2] ?? '{}') as FixedAnswer;
const app = new Koa();
app.use((ctx) => {
  ctx.status = answer.status;
  ctx.set(answer.headers);
  if (answer.body !== undefined) ctx.body = answer.body;
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
process.once('disconnect', () => process.exit(0));
