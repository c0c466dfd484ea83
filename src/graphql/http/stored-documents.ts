import type { Middleware } from 'koa';
import { LRUCache } from 'lru-cache';
import { isStorable } from '../../kernel/text.js';
import { documentsFailure } from '../../modules/documents/documents.errors.js';
import { hashOf } from '../../modules/documents/stored-document.service.js';
import { domainErrorOf } from '../errors.js';
import { refusal } from './body.js';

const DOCUMENT_ID = /^sha256:([0-9a-f]{64})$/;
const MOST_KEPT = 1_000;

/** The document-related fields of a request, from the body or the URL. */
interface GivenDocument {
  query?: unknown;
  documentId?: unknown;
  operationName?: unknown;
  extensions?: unknown;
}

export class StoredDocuments {
  private readonly kept = new LRUCache<string, string>({ max: MOST_KEPT });

  constructor(private readonly find: (hash: string) => Promise<string | null>) {}

  /**
   * The text of the document that a request names by `documentId` (GraphQL over HTTP, appendix on persisted documents), or by Apollo's hash
   * if it is stored; undefined when it names none. Fails with `bad_document_id`, `document_not_found`.
   */
  async named({ query, documentId, extensions }: GivenDocument): Promise<string | undefined> {
    if (isGiven(documentId)) {
      const [, hash] = (typeof documentId === 'string' && DOCUMENT_ID.exec(documentId)) || [];
      if (hash === undefined || isGiven(query)) throw documentsFailure('bad_document_id');
      const text = await this.textOf(hash);
      if (text === null) throw documentsFailure('document_not_found');
      return text;
    }
    const hash = !isGiven(query) && persistedQueryIn(extensions)?.sha256Hash;
    return (typeof hash === 'string' && (await this.textOf(hash))) || undefined;
  }

  async isStored(text: string): Promise<boolean> {
    return (await this.textOf(hashOf(text))) !== null;
  }

  private async textOf(hash: string): Promise<string | null> {
    const known = this.kept.get(hash);
    if (known !== undefined) return known;
    const text = isStorable(hash) ? await this.find(hash) : null;
    if (text !== null) this.kept.set(hash, text);
    return text;
  }
}

/** Null in JSON counts as absent. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function persistedQueryIn(extensions: unknown): { sha256Hash?: unknown } | null | undefined {
  return (extensions as { persistedQuery?: { sha256Hash?: unknown } | null } | null | undefined)?.persistedQuery;
}

/**
 * The request with the text of the stored document it names, and without an empty name of an operation; unchanged if it has neither. Fails
 * as {@link StoredDocuments.named}.
 */
export async function withDocument(stored: StoredDocuments, request: GivenDocument): Promise<GivenDocument> {
  const given = withoutEmptyName(withPlainHash(request));
  const query = await stored.named(given);
  return query === undefined ? given : { ...given, query };
}

/** graphql-codegen writes hashes as `sha256:<hash>`, and Apollo's clients send what it wrote; Apollo Server expects the hash alone. */
function withPlainHash(given: GivenDocument): GivenDocument {
  const persistedQuery = persistedQueryIn(given.extensions);
  const [, hash] = DOCUMENT_ID.exec(String(persistedQuery?.sha256Hash)) ?? [];
  if (hash === undefined) return given;
  return {
    ...given,
    extensions: { ...(given.extensions as object), persistedQuery: { ...persistedQuery, sha256Hash: hash } },
  };
}

/** GraphQL over HTTP: an empty `operationName` means the same as none. */
function withoutEmptyName(given: GivenDocument): GivenDocument {
  if (given.operationName !== '') return given;
  const { operationName: _, ...rest } = given;
  return rest;
}

/** Replaces the name of a stored document in a GraphQL request with its text. */
export function completeDocument(stored: StoredDocuments): Middleware {
  return async (koa, next) => {
    if (koa.path !== '/graphql') return next();
    const request = koa.request as { body?: unknown };
    try {
      if (koa.method === 'POST') request.body = await withDocument(stored, request.body ?? {});
      else {
        const given = { ...koa.query, extensions: parsed(koa.query.extensions) ?? koa.query.extensions };
        const complete = await withDocument(stored, given);
        if (complete !== given) koa.query = asUrlQuery(complete);
      }
    } catch (error) {
      const failure = domainErrorOf(error);
      if (!failure) throw error;
      koa.status = failure.code === 'unavailable' ? 503 : 400;
      koa.body = refusal(failure.message, failure.code.toUpperCase());
      return undefined;
    }
    return next();
  };
}

/** The fields as in a URL: objects are JSON text. */
function asUrlQuery(fields: object): Record<string, string> {
  const given = Object.entries(fields).filter(([, value]) => isGiven(value));
  return Object.fromEntries(
    given.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}
