#!/usr/bin/env node
/**
 * `npx quarterdeck`: compiles when needed and runs the command. npm links to this file at install time, so it must
 * exist before anything is compiled.
 */
import { build } from './build.mjs';

if (!(await build())) process.exit(1);
await import('../dist/src/cli/main.js');
