import { readFile } from 'node:fs/promises';
import { type ASTNode, Kind, parse, print, visit } from 'graphql';
import { LRUCache } from 'lru-cache';
import { hashOf } from '../../modules/documents/stored-document.service.js';
import { LIMITS } from '../limits.js';

const CONSOLE = new URL('../../../documents/console/documents.json', import.meta.url);
const MOST_KEPT = 1_000;

export class OwnDocuments {
  private forms: Promise<ReadonlySet<string>> | undefined;
  /** Hashes of texts that are documents of the console: comments can make such a text as long as a request may be. */
  private readonly kept = new LRUCache<string, true>({ max: MOST_KEPT });

  /** @param file the texts of the console's documents */
  constructor(private readonly file = CONSOLE) {}

  async has(text: string): Promise<boolean> {
    const hash = hashOf(text);
    if (this.kept.get(hash)) return true;
    this.forms ??= formsIn(this.file).catch((error) => {
      this.forms = undefined;
      throw error;
    });
    if (!(await this.forms).has(formOf(text))) return false;
    this.kept.set(hash, true);
    return true;
  }
}

async function formsIn(file: URL): Promise<ReadonlySet<string>> {
  const texts: string[] = JSON.parse(await readFile(file, 'utf8'));
  return new Set(texts.map(formOf));
}

/** The same for every layout and order of a document; clients' caches also add `__typename`. Empty if it is no document. */
function formOf(text: string): string {
  try {
    const document = parse(text, { noLocation: true, maxTokens: LIMITS.tokens });
    return visit(document, { enter: withoutTypeName }).definitions.map(print).sort().join('\n');
  } catch {
    return '';
  }
}

const withoutTypeName = (node: ASTNode): null | undefined =>
  node.kind === Kind.FIELD && node.name.value === '__typename' ? null : undefined;
