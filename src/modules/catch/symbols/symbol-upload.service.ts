import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../../events/event-log.js';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import type { JobQueue } from '../../../jobs/job-queue.js';
import type { Caller, Context } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { DomainError } from '../../../kernel/errors.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { type ObjectStore, ObjectStoreUnavailable } from '../../../storage/objects/object-store.js';
import { authorize } from '../../access/guard.js';
import { callerNow } from '../../access/people/caller-now.js';
import type { Project } from '../../access/projects/project.entity.js';
import type { QuotaService } from '../../quotas/quota.service.js';
import { quotaFailure } from '../../quotas/quotas.errors.js';
import { catchFailure, storageUnavailable } from '../catch.errors.js';
import { identifyFile } from './identify-file.js';
import { aboutArtifact, fileOf, SymbolArtifact } from './symbol-artifact.entity.js';
import { SymbolTableRow } from './symbol-table.entity.js';
import { type CheckedFields, checkUploadFields, harmlessName, type UploadFields } from './upload-fields.js';

/** A stored file that doesn't belong to an artifact yet. */
export interface ReceivedFile {
  artifactId: string;
  storagePath: string;
  bytes: number;
  sha256: string;
  originalName: string;
}

/** The limits and tools of uploads. */
export interface UploadParts {
  tx: Transactions;
  objects: ObjectStore;
  events: EventLog;
  quotas: QuotaService;
  jobs: JobQueue;
  maxFileBytes: number;
}

/** The file exceeds its limit; the stored part is gone. */
export const TOO_LARGE = Symbol('file too large');

/**
 * Receives symbol files (docs/rest.md, Symbols), for both faces: first the bytes, without a transaction, then the row. A row is `ready`
 * only if its bytes survive a power cut.
 */
export class SymbolUploadService {
  constructor(private readonly parts: UploadParts) {}

  /**
   * Streams a file into the store and hashes it; at most two of its blocks are in memory.
   *
   * @returns TOO_LARGE if the file has more bytes than allowed; the rest of the stream is read and dropped
   * @throws DomainError `storage_unavailable`; whatever the source throws
   */
  async receive(
    source: AsyncIterable<Uint8Array>,
    originalName: string | null | undefined,
    signal: AbortSignal,
  ): Promise<ReceivedFile | typeof TOO_LARGE> {
    const artifactId = newPrefixedId('sym');
    const storagePath = `symbols/${artifactId}/file`;
    const capped = new CappedSource(source, this.parts.maxFileBytes);
    try {
      const { bytes, sha256 } = await this.parts.objects.put(storagePath, capped, signal);
      return { artifactId, storagePath, bytes, sha256, originalName: harmlessName(originalName) };
    } catch (error) {
      if (error instanceof ObjectStoreUnavailable) throw storageUnavailable(error);
      if (!capped.exceeded) throw error;
      await capped.drain();
      return TOO_LARGE;
    }
  }

  /** Deletes a received file that no artifact will own. */
  async discard(file: ReceivedFile): Promise<void> {
    // The orphan sweep removes whatever can't be removed now.
    await this.parts.objects.delete(file.storagePath).catch(() => undefined);
  }

  /**
   * Creates the artifact of a received file, or finds the one that already has the same bytes at the same place. Checks in order: the
   * caller's present role, file, kind, environment, size, quota.
   *
   * @param file null if the upload had none
   * @throws DomainError `invalid_token`, `permission_denied`, `missing_file` (also for an empty one), `invalid_kind`,
   * `invalid_environment`, `file_too_large`, `quota_exceeded`; the file is then discarded
   */
  async register(
    sender: Caller,
    projectId: string,
    file: ReceivedFile | typeof TOO_LARGE | null,
    fields: UploadFields,
  ): Promise<SymbolArtifact> {
    const stored = file === TOO_LARGE ? null : file;
    try {
      const caller = await this.parts.tx.read(sender, callerNow);
      await this.parts.tx.read(caller, (ctx) => this.authorizeUpload(ctx, projectId));
      if (file === null || (file !== TOO_LARGE && file.bytes === 0)) throw catchFailure('missing_file');
      const checked = checkUploadFields(fields);
      if (file === TOO_LARGE) throw catchFailure('file_too_large', { limit: this.parts.maxFileBytes });
      const matchKey = await this.matchKeyOf(file, checked);
      const artifact = await this.parts.tx.write(caller, (ctx) => this.insert(ctx, projectId, file, checked, matchKey));
      if (artifact.id !== file.artifactId) await this.discard(file);
      return artifact;
    } catch (error) {
      // After any other failure an artifact may own the file: perhaps only the response to its COMMIT was lost.
      if (stored && error instanceof DomainError) await this.discard(stored);
      throw error;
    }
  }

  /** Whether the caller may upload to the project; checked before a byte is read. */
  async authorizeUpload(ctx: Context, projectId: string): Promise<Project> {
    return authorize(ctx, 'catch.symbol.upload', projectId);
  }

  /** Fails with `file_too_large`. */
  checkSize(bytes: number): void {
    if (bytes > this.parts.maxFileBytes) throw catchFailure('file_too_large', { limit: this.parts.maxFileBytes });
  }

  /** Uploads to one project queue up here, so that duplicate detection and the quota are exact. */
  async lockProject(ctx: Context, projectId: string): Promise<void> {
    await ctx.em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`symbols ${projectId}`]);
  }

  /** What the upload itself says about its file's place. */
  placeOf(file: Pick<ReceivedFile, 'originalName'>, { kind, matchKey }: CheckedFields): string {
    return matchKey || (kind === 'js_sourcemap' ? file.originalName.replace(/\.map$/i, '') : '');
  }

  /** The artifact that has these bytes at this place. If it hasn't been read yet, it is queued again: its job may have been given up. */
  async stored(
    ctx: Context,
    projectId: string,
    file: Pick<ReceivedFile, 'originalName' | 'sha256'>,
    fields: CheckedFields,
  ): Promise<SymbolArtifact | null> {
    const { environment, kind, release } = fields;
    const place = { projectId, environment, kind, release, place: this.placeOf(file, fields) };
    const same = { ...place, sha256: file.sha256, status: { $ne: 'failed' } } as const;
    const found = await ctx.em.findOne(SymbolArtifact, same);
    const isDated = found && ((await this.isReplaced(ctx, found)) || (await this.awaitsPurge(ctx, found)));
    const artifact = isDated ? await this.uploadedNow(ctx, found.id) : found;
    if (artifact?.indexedAt === null)
      await this.parts.jobs.enqueue(ctx, 'catch.convert_symbols', { artifactId: artifact.id });
    return artifact;
  }

  /** Whether other bytes were uploaded for the same place after it. */
  private async isReplaced({ em }: Context, artifact: SymbolArtifact): Promise<boolean> {
    const { id, projectId, environment, kind, release, place, matchKey, uploadedAt } = artifact;
    const same = { projectId, environment, kind, release, place, matchKey };
    const later = { id: { $ne: id }, status: { $ne: 'failed' }, uploadedAt: { $gte: uploadedAt } } as const;
    return (await em.count(SymbolArtifact, { ...same, ...later })) > 0;
  }

  /** Whether its release was deleted after it was uploaded. */
  private async awaitsPurge(
    { em }: Context,
    { projectId, environment, release, uploadedAt }: SymbolArtifact,
  ): Promise<boolean> {
    const deletion = { kind: 'deploy.release.deleted', projectId, environment, data: { version: release } };
    return (await em.count(StoredEvent, { ...deletion, createdAt: { $gte: uploadedAt } })) > 0;
  }

  /** Makes it one that was uploaded now; null if the purge came first. */
  private async uploadedNow(ctx: Context, id: string): Promise<SymbolArtifact | null> {
    const locked = { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true } as const;
    const artifact = await ctx.em.findOne(SymbolArtifact, { id }, locked);
    if (artifact === null) return null;
    artifact.uploadedAt = ctx.now();
    await ctx.em.nativeUpdate(SymbolTableRow, { artifactId: id }, { uploadedAt: artifact.uploadedAt });
    return artifact;
  }

  /** Checks that the project has room for this many more bytes. Fails with `quota_exceeded`. */
  async checkQuota(ctx: Context, projectId: string, bytes: number): Promise<void> {
    const { symbolBytes: limit } = await this.parts.quotas.limits(ctx, projectId);
    if (limit === null) return;
    const [row] = await ctx.em.execute<{ used: string }[]>(
      'select coalesce(sum(size_bytes), 0)::text as used from symbol_artifact where project_id = ?',
      [projectId],
    );
    const current = Number(row?.used ?? 0);
    if (current + bytes > limit)
      throw quotaFailure('quota_exceeded', { meter: 'symbolBytes', current, limit, resetsAt: null });
  }

  private async matchKeyOf(file: ReceivedFile, fields: CheckedFields): Promise<string> {
    const place = this.placeOf(file, fields);
    if (place) return place;
    const identified = await identifyFile(this.parts.objects, file, fields);
    return identified ?? (fields.kind === 'android_mapping' ? fields.release : '');
  }

  private async insert(
    ctx: Context,
    projectId: string,
    file: ReceivedFile,
    fields: CheckedFields,
    matchKey: string,
  ): Promise<SymbolArtifact> {
    const project = await this.authorizeUpload(ctx, projectId);
    await this.lockProject(ctx, project.id);
    const existing = await this.stored(ctx, project.id, file, fields);
    if (existing) return existing;
    await this.checkQuota(ctx, project.id, file.bytes);
    const artifact = ctx.em.create(SymbolArtifact, {
      id: file.artifactId,
      projectId: project.id,
      environment: fields.environment,
      kind: fields.kind,
      release: fields.release,
      matchKey,
      place: this.placeOf(file, fields),
      sizeBytes: String(file.bytes),
      sha256: file.sha256,
      status: 'ready',
      commitSha: fields.commitSha,
      originalName: file.originalName,
      storagePath: file.storagePath,
      uploadedAt: ctx.now(),
    });
    const about = aboutArtifact(project, artifact);
    this.parts.events.emitChange(ctx, 'catch.symbol.uploaded', about, null, fileOf(artifact));
    await ctx.em.flush();
    await this.parts.jobs.enqueue(ctx, 'catch.convert_symbols', { artifactId: artifact.id });
    return artifact;
  }
}

/** Fails at the first byte over the limit. */
class CappedSource implements AsyncIterable<Uint8Array> {
  exceeded = false;
  private readonly iterator: AsyncIterator<Uint8Array>;

  constructor(
    source: AsyncIterable<Uint8Array>,
    private readonly cap: number,
  ) {
    this.iterator = source[Symbol.asyncIterator]();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for (;;) {
      const { done, value } = await this.iterator.next();
      if (done) return;
      bytes += value.byteLength;
      if (bytes > this.cap) {
        this.exceeded = true;
        throw new RangeError('over the limit');
      }
      yield value;
    }
  }

  /** Reads on without keeping anything, so that the fields after the file are still seen. */
  async drain(): Promise<void> {
    while (!(await this.iterator.next()).done);
  }
}
