import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const readme = join(dirname(fileURLToPath(import.meta.url)), '../../../README.md');

/** Puts a text between `<!-- name -->` and `<!-- /name -->` of the README. */
export function writeReadmeBlock(name: string, text: string): void {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const before = readFileSync(readme, 'utf8');
  const [start, end] = [before.indexOf(open), before.indexOf(close)];
  if (start === -1 || end === -1) throw new Error(`README.md has no ${open} block`);
  writeFileSync(readme, `${before.slice(0, start + open.length)}\n\n${text}\n\n${before.slice(end)}`);
}
