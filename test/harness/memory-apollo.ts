import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const apolloProcess = fileURLToPath(new URL('./memory-apollo-process.js', import.meta.url));

/**
 * Starts Apollo on Koa in a separate process, with the product's schema and without resolvers: the limit for GraphQL
 * queries that the library executes itself.
 * @param rootValue what the root fields answer, whatever their arguments
 */
export async function startMemoryApollo(rootValue: object): Promise<{ url: string; pid: number; stop(): void }> {
  const child = fork(apolloProcess, { execPath: process.execPath, env: { ...process.env, NODE_ENV: 'production' } });
  const port = await new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`Apollo ended with ${code}`)));
    child.send(rootValue);
  });
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop: () => child.kill() };
}
