import type { Caller } from '../../../kernel/context.js';
import { textArray } from '../../../kernel/database/text-array.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { ObjectNotFound, type ObjectStore } from '../../../storage/objects/object-store.js';
import { normalizeKey } from '../../../symbols/match-key.js';
import type {
  IdForm,
  TableAnswer,
  TableProvider,
  TableQuery,
} from '../../../symbols/symbolication/symbolication-protocol.js';
import { findSourceMap } from './script-maps.sql.js';

interface Found {
  id: string;
  dart_sections: TableAnswer['dartSections'];
}

/** Keys that are ids, as PostgreSQL expressions; a mapping without one has its release as its key. */
const FORMS: Readonly<Record<IdForm, string>> = {
  build_id: '^[0-9a-f]{16,}$',
  map_id: '^[0-9a-f]+$',
  uuid: '^[0-9a-f]{32}$',
};

/** Finds the matching stored table, querying the database once for the same question from several events. */
export class TableFinds {
  private readonly answers = new Map<string, Promise<TableAnswer | null>>();

  constructor(
    private readonly tx: Transactions,
    private readonly caller: Caller,
    private readonly projectId: string,
    private readonly environment: string,
  ) {}

  /**
   * The newest table that one of the keys names, or the source map or code of a script. Without keys, a mapping or Flutter symbols are
   * found by the release itself, except those with an id if the event names a different one.
   */
  find(query: TableQuery): Promise<TableAnswer | null> {
    const question = JSON.stringify(query);
    const known = this.answers.get(question) ?? this.query(query);
    this.answers.set(question, known);
    return known;
  }

  /** Where the bytes of a table are; null if it was deleted. */
  async path(id: string): Promise<string | null> {
    return this.tx.read(this.caller, async (ctx) => {
      const [row] = await ctx.em.execute<{ storage_path: string }[]>(
        'select storage_path from symbol_table where id = ?',
        [id],
      );
      return row?.storage_path ?? null;
    });
  }

  private async query(query: TableQuery): Promise<TableAnswer | null> {
    const { projectId, environment } = this;
    const { release, script, format } = query;
    if (script !== null) {
      const place = { projectId, environment, release, format };
      const id = await this.tx.read(this.caller, (ctx) => findSourceMap(ctx.em, place, query.keys, script));
      return id === null ? null : { id, dartSections: null };
    }
    const found = await this.tx.read(this.caller, async (ctx) => {
      const [byKey] = await ctx.em.execute<Found[]>(
        `select id, dart_sections from symbol_table
          where project_id = ? and environment = ? and format = ? and keys && ?::text[]
          order by release = coalesce(?, '') desc, arch = coalesce(?, '') desc, detail = 'full' desc, uploaded_at desc, id desc
          limit 1`,
        [projectId, environment, query.format, textArray(query.keys), release, query.arch],
      );
      if (byKey !== undefined || query.byRelease === null || !release) return byKey;
      const { kind, unlessId } = query.byRelease;
      const [byRelease] = await ctx.em.execute<Found[]>(
        `select id, dart_sections from symbol_table
          where project_id = ? and environment = ? and kind = ? and release = ? and (?::text is null or arch = ?)
            and not exists (select from unnest(keys) as k(key) where key ~ ?::text and key <> ?)
          order by uploaded_at desc, id desc limit 1`,
        [
          projectId,
          environment,
          kind,
          release,
          query.arch,
          query.arch,
          unlessId === null ? null : FORMS[unlessId],
          normalizeKey(release),
        ],
      );
      return byRelease;
    });
    return found === undefined ? null : { id: found.id, dartSections: found.dart_sections };
  }
}

/** Finds and loads stored tables for symbolicating a claim of events. */
export class StoredTables implements TableProvider {
  constructor(
    private readonly finds: TableFinds,
    private readonly objects: ObjectStore,
  ) {}

  find(query: TableQuery): Promise<TableAnswer | null> {
    return this.finds.find(query);
  }

  async load(id: string): Promise<Uint8Array | null> {
    const path = await this.finds.path(id);
    if (path === null) return null;
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of (await this.objects.get(path)) as AsyncIterable<Buffer>) chunks.push(chunk);
      return Buffer.concat(chunks);
    } catch (error) {
      if (error instanceof ObjectNotFound) return null;
      throw error;
    }
  }
}
