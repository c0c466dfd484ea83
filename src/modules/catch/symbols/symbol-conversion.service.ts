import { Readable } from 'node:stream';
import { type EntityDTO, LockMode } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../../jobs/job-queue.js';
import { type Context, systemCaller } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { newUuid } from '../../../kernel/ids.js';
import type { Logger } from '../../../kernel/logger.js';
import { DAY_MS, HOUR_MS } from '../../../kernel/values/durations.js';
import { ObjectNotFound, type ObjectStore } from '../../../storage/objects/object-store.js';
import type { ConvertedFile, ConvertedTable } from '../../../symbols/conversion/converted-file.js';
import { runConversion } from '../../../symbols/conversion/run-conversion.js';
import { SymbolFileError } from '../../../symbols/symbol-file-error.js';
import { withLocalCopies } from './local-copy.js';
import { lockSymbols, reprocessAfterUpload, reprocessSinceUpload } from './pending-events.sql.js';
import { findLackingPackage, findSplitPackages, isSplitKey, type SplitPackage } from './split-packages.sql.js';
import { SymbolArtifact } from './symbol-artifact.entity.js';
import { SymbolTableRow } from './symbol-table.entity.js';

/** Approximate duration of all attempts of the job. */
const GIVEN_UP_MS = 12 * HOUR_MS;
const CONVERTED_AT_ONCE = 1_000;

/** A table that is stored but not yet indexed. */
type NewTableRow = EntityDTO<SymbolTableRow>;

export interface ConversionParts {
  tx: Transactions;
  objects: ObjectStore;
  jobs: JobQueue;
  logger: Logger;
  /** Maximum total size of one file's packages: as much as one file. */
  maxFileBytes: number;
}

/**
 * The work after an upload (docs/rest.md, Symbols): verifies the hash, creates the tables, indexes their keys, and has the events of the
 * last 24 hours that missed them symbolicated again, as well as those that arrived in the meantime.
 */
export class SymbolConversionService {
  constructor(private readonly parts: ConversionParts) {}

  /** Converts an artifact once; repeating it, or a deleted artifact, changes nothing. */
  async convert(artifactId: string): Promise<void> {
    const caller = systemCaller('symbols');
    const artifact = await this.parts.tx.read(caller, (ctx) => ctx.em.findOne(SymbolArtifact, { id: artifactId }));
    if (artifact === null || artifact.indexedAt !== null || artifact.status === 'failed') return;
    try {
      const { file, packages } = await this.readWithPackages(artifact);
      const stored = await this.storeTables(artifact, file.tables);
      const kept = await this.parts.tx.write(caller, async (ctx) => {
        const indexed = await this.index(ctx, artifact.id, file, stored);
        if (indexed) await this.readAgain(ctx, artifact, stored, packages);
        return indexed;
      });
      if (!kept) await this.forget(stored.filter(({ format }) => format !== 'split_package'));
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      if (failure.code === 'internal')
        this.parts.logger.error({ err: error, artifactId }, 'a symbol file could not be read');
      await this.parts.tx.write(caller, (ctx) => this.fail(ctx, artifact.id, failure));
    }
  }

  /**
   * Queues artifacts that are still unread although their job had time for all its attempts. If there are more than fit, takes a different
   * part each day, so that files that always fail don't hold up others.
   */
  async convertForgotten(now: Date, most = CONVERTED_AT_ONCE): Promise<void> {
    const before = new Date(now.getTime() - GIVEN_UP_MS);
    await this.parts.tx.write(systemCaller('symbols'), async (ctx) => {
      const where = { status: 'ready', indexedAt: null, uploadedAt: { $lt: before } } as const;
      const parts = Math.ceil((await ctx.em.count(SymbolArtifact, where)) / most);
      const part = Math.floor(now.getTime() / DAY_MS) % Math.max(parts, 1);
      const forgotten = await ctx.em.find(SymbolArtifact, where, {
        fields: ['id'],
        orderBy: { uploadedAt: 'desc', id: 'desc' },
        limit: most,
        offset: part * most,
      });
      for (const { id } of forgotten) await this.parts.jobs.enqueue(ctx, 'catch.convert_symbols', { artifactId: id });
    });
  }

  /**
   * A file with split-off debug information is read again with its stored packages, until none claims to contain what is still missing.
   * Each package is tried once, whatever it claims.
   */
  private async readWithPackages(
    artifact: SymbolArtifact,
  ): Promise<{ file: ConvertedFile; packages: readonly SplitPackage[] }> {
    const caller = systemCaller('symbols');
    const packages: SplitPackage[] = [];
    const gone = new Set<string>();
    for (;;) {
      const file = await this.readWithout(artifact, packages, gone);
      const more = await this.parts.tx.read(caller, (ctx) => this.untried(ctx, artifact, file.tables, packages));
      if (more.length === 0) return { file, packages };
      packages.push(...more);
    }
  }

  private untried(
    ctx: Context,
    artifact: SymbolArtifact,
    tables: readonly Pick<ConvertedTable, 'format' | 'keys'>[],
    tried: readonly SplitPackage[],
  ): Promise<SplitPackage[]> {
    const native = tables.filter(({ format }) => format === 'native');
    const missing = native.flatMap(({ keys }) => keys.filter(isSplitKey));
    return findSplitPackages(ctx.em, artifact, missing, tried, this.parts.maxFileBytes);
  }

  /** Reads a file with those of the packages that are still stored; the others, which someone deletes meanwhile, are added to `gone`. */
  private async readWithout(
    artifact: SymbolArtifact,
    packages: readonly SplitPackage[],
    gone: Set<string>,
  ): Promise<ConvertedFile> {
    for (;;) {
      try {
        return await this.read(
          artifact,
          packages.filter(({ path }) => !gone.has(path)),
        );
      } catch (error) {
        if (!(error instanceof ObjectNotFound) || error.key === artifact.storagePath) throw error;
        gone.add(error.key);
      }
    }
  }

  private async read(artifact: SymbolArtifact, packages: readonly SplitPackage[]): Promise<ConvertedFile> {
    const stored = [artifact.storagePath, ...packages.map(({ path }) => path)];
    return withLocalCopies(this.parts.objects, stored, ([path = '', ...others]) =>
      runConversion({
        kind: artifact.kind,
        sha256: artifact.sha256,
        input: {
          path,
          originalName: artifact.originalName,
          release: artifact.release,
          // The place is what the upload said; a key read from the file is read again.
          matchKey: artifact.place,
          packages: others,
        },
      }),
    );
  }

  private async storeTables(artifact: SymbolArtifact, tables: ConvertedTable[]): Promise<NewTableRow[]> {
    const rows: NewTableRow[] = [];
    for (const table of tables) {
      const id = newUuid();
      const isPackage = table.format === 'split_package';
      const storagePath = isPackage ? artifact.storagePath : `symbols/${artifact.id}/${id}.table`;
      if (!isPackage) await this.parts.objects.put(storagePath, Readable.from([table.table]));
      const { environment, projectId, kind, release, uploadedAt } = artifact;
      const { format, keys, arch, detail, dartSections } = table;
      const place = { id, artifactId: artifact.id, projectId, environment, kind, release, uploadedAt, storagePath };
      rows.push({ ...place, format, keys, arch, detail, dartSections });
    }
    return rows;
  }

  private async index(ctx: Context, id: string, file: ConvertedFile, rows: NewTableRow[]): Promise<boolean> {
    const artifact = await ctx.em.findOne(SymbolArtifact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (artifact === null || artifact.indexedAt !== null) return false;
    artifact.indexedAt = ctx.now();
    if (artifact.matchKey === '') artifact.matchKey = file.matchKey;
    artifact.debugId = file.debugId ?? null;
    const lacking = file.tables.find(({ detailReason }) => detailReason !== null);
    artifact.detail = file.tables.find(({ detail }) => detail !== 'full')?.detail ?? 'full';
    artifact.detailReason = lacking?.detailReason ?? null;
    for (const row of rows) ctx.em.create(SymbolTableRow, row);
    await ctx.em.flush();
    await lockSymbols(ctx.em, artifact.projectId);
    const keys = [...new Set(rows.flatMap((row) => row.keys))];
    const missed = await reprocessAfterUpload(ctx.em, artifact, keys, ctx.now());
    const arrived = await reprocessSinceUpload(ctx.em, artifact, keys, ctx.now());
    const { projectId, environment } = artifact;
    if (missed + arrived > 0)
      await this.parts.jobs.enqueue(ctx, 'catch.symbolicate_events', { projectId, environment });
    return true;
  }

  /**
   * Requeues a package's files, or this file if the other came in between. Runs under the lock of the project's symbols, so that of two
   * being indexed at once the later sees the earlier.
   */
  private async readAgain(
    ctx: Context,
    artifact: SymbolArtifact,
    rows: NewTableRow[],
    packages: readonly SplitPackage[],
  ): Promise<void> {
    const units = rows.filter(({ format }) => format === 'split_package').flatMap(({ keys }) => keys);
    const waiting = units.length > 0 ? await findLackingPackage(ctx.em, artifact, units) : [];
    const more = await this.untried(ctx, artifact, rows, packages);
    if (more.length > 0) waiting.push(artifact.id);
    for (const id of waiting) {
      const lacking = await ctx.em.findOne(SymbolArtifact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (lacking === null || lacking.indexedAt === null) continue;
      const tables = await ctx.em.find(SymbolTableRow, { artifactId: id });
      await ctx.em.nativeDelete(SymbolTableRow, { artifactId: id });
      lacking.indexedAt = null;
      ctx.afterCommit(() => this.forget(tables));
      await this.parts.jobs.enqueue(ctx, 'catch.convert_symbols', { artifactId: id });
    }
  }

  private async fail(ctx: Context, id: string, failure: SymbolFileError): Promise<void> {
    const artifact = await ctx.em.findOne(SymbolArtifact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (artifact === null || artifact.indexedAt !== null) return;
    artifact.status = 'failed';
    artifact.failureCode = failure.code;
    artifact.failureReason = failure.reason;
  }

  private async forget(rows: readonly Pick<NewTableRow, 'storagePath'>[]): Promise<void> {
    for (const row of rows) await this.parts.objects.delete(row.storagePath).catch(() => undefined);
  }
}

function failureOf(error: unknown): SymbolFileError | null {
  if (error instanceof SymbolFileError) return error;
  if (error instanceof ObjectNotFound)
    return new SymbolFileError('hash_mismatch', 'The stored file is gone. Upload it again.');
  return null;
}
