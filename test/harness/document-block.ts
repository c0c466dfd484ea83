import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const docs = join(dirname(fileURLToPath(import.meta.url)), '../../../docs');

/** Replaces the text between `<!-- name -->` and `<!-- /name -->` in a page in `docs/` with one made from it. */
export function writeDocumentBlock(page: string, name: string, made: (before: string) => string): void {
  const { file, before, block, after } = partsOf(page, name);
  writeFileSync(file, `${before}\n\n${made(block)}\n\n${after}`);
}

/** The text between `<!-- name -->` and `<!-- /name -->` in a page in `docs/`. */
export function readDocumentBlock(page: string, name: string): string {
  return partsOf(page, name).block;
}

function partsOf(page: string, name: string): Record<'file' | 'before' | 'block' | 'after', string> {
  const file = join(docs, page);
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const text = readFileSync(file, 'utf8');
  const [start, end] = [text.indexOf(open) + open.length, text.indexOf(close)];
  if (start < open.length || end === -1) throw new Error(`docs/${page} has no ${open} block`);
  return { file, before: text.slice(0, start), block: text.slice(start, end).trim(), after: text.slice(end) };
}
