/**
 * `npm start`: compiles when needed, then serves in the same process, so that signals reach the server. V8's compile
 * cache is kept in dist for later starts.
 */
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { requireNode24 } from './node-version.mjs';

requireNode24();
const { build } = await import('./build.mjs');
if (!(await build())) process.exit(1);
module.enableCompileCache(fileURLToPath(new URL('../dist/.compile-cache', import.meta.url)));
await import('../dist/server/main.js');
