import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = join(dirname(fileURLToPath(import.meta.url)), '../../../docs');

/** Puts a text between `<!-- name -->` and `<!-- /name -->` of a page in `docs/`. */
export function writeDocumentBlock(page: string, name: string, text: string): void {
  const file = join(docs, page);
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const before = readFileSync(file, 'utf8');
  const [start, end] = [before.indexOf(open), before.indexOf(close)];
  if (start === -1 || end === -1) throw new Error(`docs/${page} has no ${open} block`);
  writeFileSync(file, `${before.slice(0, start + open.length)}\n\n${text}\n\n${before.slice(end)}`);
}
