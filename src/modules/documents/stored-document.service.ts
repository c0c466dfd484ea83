import { hash } from 'node:crypto';
import { type GraphQLSchema, parse, validate } from 'graphql';
import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import { readPages } from '../../kernel/lists/list-pages.js';
import type { Page } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import type { Operators } from '../access/operators.js';
import { STORED_DOCUMENTS } from './document-list.js';
import { documentsFailure } from './documents.errors.js';
import { StoredDocument } from './stored-document.entity.js';

export interface DocumentSet {
  app: string;
  version: string;
}

/** The id of a set, as in its events and the result of deleting it. */
export const setId = ({ app, version }: DocumentSet): string => `${app} ${version}`;

/** GraphQL documents that clients were built with, so that they send an id instead of a text (docs/graphql.md, Stored documents). */
export class StoredDocumentService {
  constructor(
    private readonly operators: Operators,
    private readonly events: EventLog,
  ) {}

  async list(ctx: Context, app: string, args: ListArgs): Promise<Page<StoredDocument>> {
    await this.operators.require(ctx);
    const [page] = await readPages(ctx, STORED_DOCUMENTS, [app], args);
    return page as Page<StoredDocument>;
  }

  /** Fails with `operators_only`, `document_not_found`. */
  async get(ctx: Context, id: string): Promise<StoredDocument> {
    await this.operators.require(ctx);
    const document = isUuid(id) ? await ctx.em.findOne(StoredDocument, { id }) : null;
    if (!document) throw documentsFailure('document_not_found');
    return document;
  }

  /**
   * Stores documents of a version; already stored ones stay. Fails with `operators_only`, and with `document_invalid` for the whole set if
   * one of them doesn't match the schema.
   */
  async store(
    ctx: Context,
    { app, version }: DocumentSet,
    texts: readonly string[],
    schema: GraphQLSchema,
  ): Promise<StoredDocument[]> {
    const { organizationId } = await this.operators.require(ctx);
    const problems = texts.flatMap((text, index) => {
      const [problem] = problemsOf(schema, text);
      return problem === undefined ? [] : [{ path: `documents.${index}`, problem }];
    });
    if (problems.length > 0) throw documentsFailure('document_invalid', { problems });
    const set = { app: storableText(app), version: storableText(version) };
    // Several servers of a client may store the same version as they start.
    await ctx.em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`documents ${setId(set)}`]);
    const known = await ctx.em.find(StoredDocument, set);
    const byHash = new Map(known.map((document) => [document.hash, document]));
    const added = [...new Set(texts)].filter((text) => !byHash.has(hashOf(text)));
    for (const text of added) {
      const hash = hashOf(text);
      byHash.set(hash, ctx.em.create(StoredDocument, { ...set, hash, body: text, createdAt: ctx.now() }));
    }
    if (added.length > 0)
      this.events.emit(ctx, 'documents.set.stored', {
        organizationId,
        object: { type: 'document_set', id: setId(set) },
        data: { ...set, count: added.length },
      });
    return texts.map((text) => byHash.get(hashOf(text)) as StoredDocument);
  }

  /** Deletes the documents of a version and returns how many there were. Fails with `operators_only`. */
  async remove(ctx: Context, { app, version }: DocumentSet): Promise<number> {
    const { organizationId } = await this.operators.require(ctx);
    const set = { app: storableText(app), version: storableText(version) };
    const count = await ctx.em.nativeDelete(StoredDocument, set);
    if (count > 0)
      this.events.emit(ctx, 'documents.set.deleted', {
        organizationId,
        object: { type: 'document_set', id: setId(set) },
        data: { ...set, count },
      });
    return count;
  }

  /** The text of a stored document; null if none has this hash. */
  async textOf(ctx: Context, hash: string): Promise<string | null> {
    const [row] = await ctx.rows<{ body: string }>(BY_HASH, [hash]);
    return row?.body ?? null;
  }

  /** Stored documents that don't match the schema, each with the first reason. */
  async misfits(ctx: Context, schema: GraphQLSchema): Promise<{ document: StoredDocument; problem: string }[]> {
    const found: { document: StoredDocument; problem: string }[] = [];
    for (const document of await ctx.em.find(StoredDocument, {})) {
      const [problem] = problemsOf(schema, document.body);
      if (problem !== undefined) found.push({ document, problem });
    }
    return found;
  }
}

const BY_HASH = { name: 'stored-document', text: 'select body from stored_document where hash = $1 limit 1' };

export const hashOf = (text: string): string => hash('sha256', text);

function problemsOf(schema: GraphQLSchema, text: string): string[] {
  try {
    return validate(schema, parse(text)).map(({ message }) => message);
  } catch (error) {
    return [(error as Error).message];
  }
}
