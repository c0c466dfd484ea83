/** `npm start`: compiles when needed, then serves in this same process, so that signals reach the server. */
import { requireNode24 } from './node-version.mjs';

requireNode24();
const { build } = await import('./build.mjs');
if (!build()) process.exit(1);
await import('../dist/src/main.js');
