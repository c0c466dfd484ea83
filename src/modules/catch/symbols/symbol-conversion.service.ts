import { type EntityDTO, LockMode } from '@mikro-orm/postgresql';
import type { JobQueue } from '../../../jobs/job-queue.js';
import { type Context, systemCaller } from '../../../kernel/context.js';
import { newUuid } from '../../../kernel/ids.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Transactions } from '../../../kernel/transactions.js';
import { ObjectNotFound, type ObjectStore } from '../../../storage/objects/object-store.js';
import type { ConvertedFile, ConvertedTable } from '../../../symbols/conversion/converted-file.js';
import { runConversion } from '../../../symbols/conversion/run-conversion.js';
import { SymbolFileError } from '../../../symbols/symbol-file-error.js';
import { lockSymbols, reprocessAfterUpload } from '../crashes/crash-events.sql.js';
import { withLocalCopy } from './local-copy.js';
import { SymbolArtifact } from './symbol-artifact.entity.js';
import { SymbolTableRow } from './symbol-table.entity.js';

/** A table that is stored, and not yet indexed. */
type NewTableRow = EntityDTO<SymbolTableRow>;

/** What conversion needs from the application. */
export interface ConversionParts {
  tx: Transactions;
  objects: ObjectStore;
  jobs: JobQueue;
  logger: Logger;
}

/**
 * The work after an upload (docs/rest.md, Symbols): checks the hash, makes the tables, indexes their keys, and has the
 * events of the last 24 hours that missed them symbolicated again.
 */
export class SymbolConversionService {
  constructor(private readonly parts: ConversionParts) {}

  /** Converts an artifact once; repeating it, or a deleted artifact, changes nothing. */
  async convert(artifactId: string): Promise<void> {
    const caller = systemCaller('symbols', newUuid());
    const artifact = await this.parts.tx.read(caller, (ctx) => ctx.em.findOne(SymbolArtifact, { id: artifactId }));
    if (artifact === null || artifact.indexedAt !== null || artifact.status === 'failed') return;
    try {
      const file = await this.read(artifact);
      const stored = await this.storeTables(artifact, file.tables);
      const kept = await this.parts.tx.write(caller, (ctx) => this.index(ctx, artifact.id, file, stored));
      if (!kept) await this.forget(stored);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === null) throw error;
      if (failure.code === 'internal')
        this.parts.logger.error({ err: error, artifactId }, 'a symbol file could not be read');
      await this.parts.tx.write(caller, (ctx) => this.fail(ctx, artifact.id, failure));
    }
  }

  private async read(artifact: SymbolArtifact): Promise<ConvertedFile> {
    return withLocalCopy(this.parts.objects, artifact.storagePath, (path) =>
      runConversion({
        kind: artifact.kind,
        sha256: artifact.sha256,
        input: {
          path,
          originalName: artifact.originalName,
          release: artifact.release,
          // The place is what the upload said; a key that was read from the file is read again.
          matchKey: artifact.place,
        },
      }),
    );
  }

  private async storeTables(artifact: SymbolArtifact, tables: ConvertedTable[]): Promise<NewTableRow[]> {
    const rows: NewTableRow[] = [];
    for (const table of tables) {
      const id = newUuid();
      const storagePath = `symbols/${artifact.id}/${id}.table`;
      await this.parts.objects.put(storagePath, onePart(table.table));
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
    for (const row of rows) ctx.em.create(SymbolTableRow, row);
    await ctx.em.flush();
    await lockSymbols(ctx.em, artifact.projectId);
    const keys = [...new Set(rows.flatMap((row) => row.keys))];
    const marked = await reprocessAfterUpload(ctx.em, artifact, keys, ctx.now());
    const { projectId, environment } = artifact;
    if (marked > 0) await this.parts.jobs.enqueue(ctx, 'catch.symbolicate_events', { projectId, environment });
    return true;
  }

  private async fail(ctx: Context, id: string, failure: SymbolFileError): Promise<void> {
    const artifact = await ctx.em.findOne(SymbolArtifact, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (artifact === null || artifact.indexedAt !== null) return;
    artifact.status = 'failed';
    artifact.failureCode = failure.code;
    artifact.failureReason = failure.reason;
  }

  private async forget(rows: NewTableRow[]): Promise<void> {
    for (const row of rows) await this.parts.objects.delete(row.storagePath).catch(() => undefined);
  }
}

function failureOf(error: unknown): SymbolFileError | null {
  if (error instanceof SymbolFileError) return error;
  if (error instanceof ObjectNotFound) {
    return new SymbolFileError('hash_mismatch', 'The stored file is gone; upload it again.');
  }
  return null;
}

async function* onePart(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
