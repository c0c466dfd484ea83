import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = join(dirname(fileURLToPath(import.meta.url)), '../../../docs');

/** Puts a text between `<!-- name -->` and `<!-- /name -->` of a page in `docs/`, made of what stands there. */
export function writeDocumentBlock(page: string, name: string, made: (before: string) => string): void {
  const file = join(docs, page);
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = readFileSync(file, 'utf8');
  const [start, end] = [text.indexOf(open) + open.length, text.indexOf(close)];
  if (start < open.length || end === -1) throw new Error(`docs/${page} has no ${open} block`);
  writeFileSync(file, `${text.slice(0, start)}\n\n${made(text.slice(start, end).trim())}\n\n${text.slice(end)}`);
}
