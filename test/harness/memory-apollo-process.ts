/** The peer's process: Apollo on Koa, answering from the root value that its parent sends. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ApolloServer } from '@apollo/server';
import { koaMiddleware } from '@as-integrations/koa';
import { buildSchema } from 'graphql';
import Koa from 'koa';
import { koaBody } from 'koa-body';

const schemaFile = join(dirname(fileURLToPath(import.meta.url)), '../../../schema.graphql');

process.once('message', async (rootValue: object) => {
  const apollo = new ApolloServer({ schema: buildSchema(readFileSync(schemaFile, 'utf8')), rootValue });
  await apollo.start();
  const koa = new Koa();
  koa.use(koaBody());
  koa.use(koaMiddleware(apollo));
  const server = koa.listen(0, '127.0.0.1', () => {
    const address = server.address();
    process.send?.(typeof address === 'object' ? address?.port : undefined);
  });
});
process.once('disconnect', () => process.exit(0));
