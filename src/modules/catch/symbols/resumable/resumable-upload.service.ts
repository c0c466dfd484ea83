import { LockMode } from '@mikro-orm/postgresql';
import { type Caller, type Context, systemCaller } from '../../../../kernel/context.js';
import { setFields } from '../../../../kernel/database/set-fields.js';
import type { Transactions } from '../../../../kernel/database/transactions.js';
import { DomainError } from '../../../../kernel/errors.js';
import { isPrefixedId, newUuid } from '../../../../kernel/ids.js';
import { DAY_MS } from '../../../../kernel/values/durations.js';
import {
  ObjectNotFound,
  type ObjectStore,
  ObjectStoreUnavailable,
  type PutReceipt,
} from '../../../../storage/objects/object-store.js';
import { authorize } from '../../../access/guard.js';
import { catchFailure, storageUnavailable } from '../../catch.errors.js';
import type { SymbolArtifact } from '../symbol-artifact.entity.js';
import { type SymbolUploadService, TOO_LARGE } from '../symbol-upload.service.js';
import { checkUploadFields, harmlessName, type UploadFields } from '../upload-fields.js';
import { SymbolUpload } from './symbol-upload.entity.js';
import { SymbolUploadPart } from './symbol-upload-part.entity.js';
import { partSizeAt, receivedBytes, type UploadProgress } from './upload-progress.js';

/** Folder of parts in the object store. */
export const PARTS_PREFIX = 'symbol-uploads/';

const KEPT_MS = DAY_MS;
const MOST_OPEN = 100;
const EXPIRED_AT_ONCE = 50;

/** What a client declares about a file before it sends the parts. */
export interface AnnouncedFile extends UploadFields {
  fileName: string;
  sizeBytes: number;
  /** Lower-case hexadecimal. */
  sha256: string;
}

export interface ResumableParts {
  tx: Transactions;
  objects: ObjectStore;
  uploads: SymbolUploadService;
}

/**
 * Receives symbol files in parts (docs/rest.md, Uploads in parts). Each part is durable once acknowledged, so that a broken connection
 * costs only the part in progress. The complete file becomes an artifact like one sent at once.
 */
export class ResumableUploadService {
  constructor(private readonly parts: ResumableParts) {}

  /**
   * Opens an upload, or finds the open one of the same file for the same place, or the artifact that already has its bytes.
   *
   * @throws DomainError `permission_denied`, `invalid_kind`, `invalid_environment`, `file_too_large`, `quota_exceeded`,
   * `too_many_uploads`
   */
  async begin(
    ctx: Context,
    projectId: string,
    { fileName, sizeBytes, sha256, ...fields }: AnnouncedFile,
  ): Promise<UploadProgress | SymbolArtifact> {
    const { uploads } = this.parts;
    const project = await uploads.authorizeUpload(ctx, projectId);
    const checked = checkUploadFields(fields);
    uploads.checkSize(sizeBytes);
    await uploads.lockProject(ctx, project.id);
    const file = { originalName: harmlessName(fileName), sha256 };
    const artifact = await uploads.stored(ctx, project.id, file, checked);
    if (artifact) return artifact;
    const { matchKey, commitSha, ...rest } = checked;
    const open = await ctx.em.find(SymbolUpload, { projectId: project.id, expiresAt: { $gt: ctx.now() } });
    const place = uploads.placeOf(file, checked);
    const same = open.find((one) => isSame(one, { ...rest, place, sha256, sizeBytes: String(sizeBytes) }));
    if (same) return this.progress(ctx, same);
    if (open.length >= MOST_OPEN) throw catchFailure('too_many_uploads', { limit: MOST_OPEN });
    const announced = open.reduce((sum, one) => sum + Number(one.sizeBytes), 0);
    await uploads.checkQuota(ctx, project.id, announced + sizeBytes);
    const upload = ctx.em.create(SymbolUpload, {
      ...rest,
      projectId: project.id,
      matchKey,
      commitSha,
      place,
      originalName: file.originalName,
      sizeBytes: String(sizeBytes),
      sha256,
      createdAt: ctx.now(),
      expiresAt: new Date(ctx.now().getTime() + KEPT_MS),
    });
    await ctx.em.flush();
    return { upload, parts: [] };
  }

  /** Fails with `upload_not_found`, `permission_denied`. */
  async get(ctx: Context, id: unknown): Promise<UploadProgress> {
    return this.progress(ctx, await this.visible(ctx, id));
  }

  /**
   * Stores the part that begins at `offset`; sending the same part again changes nothing.
   *
   * @param sha256 of the part, lower-case hexadecimal; null if the client sent none
   * @throws DomainError `upload_not_found`, `permission_denied`, `invalid_part`, `checksum_mismatch`, `storage_unavailable`;
   * whatever the source throws
   */
  async receivePart(
    caller: Caller,
    id: unknown,
    offset: number,
    sha256: string | null,
    source: AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<UploadProgress> {
    const { tx, objects } = this.parts;
    const upload = await tx.read(caller, (ctx) => this.visible(ctx, id));
    const size = partSizeAt(Number(upload.sizeBytes), offset);
    if (size === null)
      throw catchFailure('invalid_part', { field: 'offset', problem: 'no part starts at this offset' });
    if (sha256 === null)
      throw catchFailure('invalid_part', { field: 'sha256', problem: 'its Content-Digest has no sha-256' });
    const storagePath = `${PARTS_PREFIX}${upload.id}/${newUuid()}`;
    const receipt = await storing(objects.put(storagePath, source, signal));
    try {
      if (receipt.bytes !== size)
        throw catchFailure('invalid_part', {
          field: 'file',
          problem: `it should have ${size} bytes, but ${receipt.bytes} arrived`,
        });
      if (receipt.sha256 !== sha256) throw catchFailure('checksum_mismatch');
      const part = { uploadId: upload.id, position: String(offset), sizeBytes: size, sha256, storagePath };
      const progress = await tx.write(caller, (ctx) => this.keepPart(ctx, part));
      if (!progress.parts.some((kept) => kept.storagePath === storagePath)) await this.forget([storagePath]);
      return progress;
    } catch (error) {
      // After any other failure a row may refer to it: perhaps only the response to its COMMIT was lost.
      if (error instanceof DomainError) await this.forget([storagePath]);
      throw error;
    }
  }

  /**
   * Joins the parts and creates the artifact; returns the result of `SymbolUploadService.register`, and is as durable.
   *
   * @throws DomainError `upload_not_found`, `permission_denied`, `parts_missing`, `checksum_mismatch` (the upload is then gone:
   * the parts are from different files), `quota_exceeded`, `storage_unavailable`
   */
  async complete(caller: Caller, id: unknown, signal: AbortSignal): Promise<SymbolArtifact> {
    const { tx, uploads } = this.parts;
    const { upload, parts } = await tx.read(caller, (ctx) => this.get(ctx, id));
    const received = receivedBytes(parts);
    if (received < Number(upload.sizeBytes))
      throw catchFailure('parts_missing', { received, size: Number(upload.sizeBytes) });
    const end = () => tx.write(caller, (ctx) => this.remove(ctx, [upload.id]));
    const file = await uploads
      .receive(this.joined(parts), upload.originalName, signal)
      .catch(async (error: unknown) => {
        if (!(error instanceof ObjectNotFound)) throw error;
        // Another completion came first, or a backup was restored, which has rows but no parts.
        await end();
        throw catchFailure('upload_not_found');
      });
    if (file === TOO_LARGE || file.sha256 !== upload.sha256) {
      if (file !== TOO_LARGE) await uploads.discard(file);
      await end();
      throw catchFailure('checksum_mismatch');
    }
    const artifact = await uploads.register(caller, upload.projectId, file, upload);
    await end();
    return artifact;
  }

  /** Cancels an upload. Fails with `upload_not_found`, `permission_denied`. */
  async abandon(ctx: Context, id: unknown): Promise<void> {
    const upload = await this.visible(ctx, id);
    await this.remove(ctx, [upload.id]);
  }

  /** Removes uploads that have been idle for a day. Returns how many. */
  async deleteExpired(): Promise<number> {
    const caller = systemCaller('clean-up');
    let removed = 0;
    for (;;) {
      const count = await this.parts.tx.write(caller, async (ctx) => {
        const where = { expiresAt: { $lte: ctx.now() } };
        const expired = await ctx.em.find(SymbolUpload, where, {
          limit: EXPIRED_AT_ONCE,
          orderBy: { expiresAt: 'asc' },
        });
        await this.remove(
          ctx,
          expired.map((upload) => upload.id),
        );
        return expired.length;
      });
      removed += count;
      if (count < EXPIRED_AT_ONCE) return removed;
    }
  }

  /** The upload, if it is open and in a project to which the caller may upload. */
  private async visible(ctx: Context, id: unknown): Promise<SymbolUpload> {
    const upload = isPrefixedId('upl', id)
      ? await ctx.em.findOne(SymbolUpload, { id, expiresAt: { $gt: ctx.now() } })
      : null;
    await authorize(ctx, 'catch.symbol.upload', upload?.projectId, () => catchFailure('upload_not_found'));
    if (upload === null) throw catchFailure('upload_not_found');
    return upload;
  }

  private async progress(ctx: Context, upload: SymbolUpload): Promise<UploadProgress> {
    const parts = await ctx.em.find(SymbolUploadPart, { uploadId: upload.id }, { orderBy: { position: 'asc' } });
    return { upload, parts };
  }

  private async keepPart(ctx: Context, part: Omit<SymbolUploadPart, 'id'>): Promise<UploadProgress> {
    const { uploadId, position, sha256 } = part;
    // Parts of one upload are handled one after the other here, and not while it is being removed.
    const upload = await ctx.em.findOne(SymbolUpload, { id: uploadId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (upload === null) throw catchFailure('upload_not_found');
    upload.expiresAt = new Date(ctx.now().getTime() + KEPT_MS);
    const kept = await ctx.em.findOne(SymbolUploadPart, { uploadId, position });
    if (kept === null) ctx.em.create(SymbolUploadPart, part);
    else if (kept.sha256 !== sha256) {
      const before = kept.storagePath;
      setFields(kept, part);
      ctx.afterCommit(() => this.forget([before]));
    }
    await ctx.em.flush();
    return this.progress(ctx, upload);
  }

  private async remove(ctx: Context, ids: string[]): Promise<void> {
    if (ids.length === 0) return;
    await ctx.em.find(SymbolUpload, { id: { $in: ids } }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const parts = await ctx.em.find(SymbolUploadPart, { uploadId: { $in: ids } });
    await ctx.em.nativeDelete(SymbolUploadPart, { uploadId: { $in: ids } });
    await ctx.em.nativeDelete(SymbolUpload, { id: { $in: ids } });
    ctx.afterCommit(() => this.forget(parts.map(({ storagePath }) => storagePath)));
  }

  private async *joined(parts: readonly SymbolUploadPart[]): AsyncGenerator<Uint8Array> {
    for (const { storagePath } of parts) yield* await this.parts.objects.get(storagePath);
  }

  /** The orphan sweep removes whatever can't be removed now. */
  private async forget(paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.parts.objects.delete(path).catch(() => undefined);
  }
}

type SamePlace = Pick<SymbolUpload, 'environment' | 'kind' | 'release' | 'place' | 'sha256' | 'sizeBytes'>;

const isSame = (upload: SymbolUpload, wanted: SamePlace): boolean =>
  (Object.keys(wanted) as (keyof SamePlace)[]).every((key) => upload[key] === wanted[key]);

async function storing(put: Promise<PutReceipt>): Promise<PutReceipt> {
  try {
    return await put;
  } catch (error) {
    throw error instanceof ObjectStoreUnavailable ? storageUnavailable(error) : error;
  }
}
