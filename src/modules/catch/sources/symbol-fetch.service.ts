import type { JobQueue } from '../../../jobs/job-queue.js';
import { type Environment, isEnvironment } from '../../../kernel/actor.js';
import { type Caller, type Context, systemCaller } from '../../../kernel/context.js';
import type { Transactions } from '../../../kernel/database/transactions.js';
import { DomainError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import {
  type FetchedAnswer,
  FetchFailed,
  failureWord,
  type PinnedFetch,
} from '../../../kernel/outbound/pinned-fetch.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { elfKeys, imageKeys, normalizeKey } from '../../../symbols/match-key.js';
import { identifyFile } from '../symbols/identify-file.js';
import { isUnanswered, recordAnswer, recordRequests, type SourceOutcome } from '../symbols/source-answers.sql.js';
import { type ReceivedFile, type SymbolUploadService, TOO_LARGE } from '../symbols/symbol-upload.service.js';
import { ABSENT, SOURCE_LAYOUTS, USER_AGENT, type WantedImage } from './source-layouts.js';
import { SymbolSource } from './symbol-source.entity.js';

/** Images of one job; the rest waits for the next crash that needs them. */
const MOST_IMAGES = 200;
const IMAGES_AT_ONCE = 4;

export interface FetchParts {
  tx: Transactions;
  objects: ObjectStore;
  jobs: JobQueue;
  uploads: SymbolUploadService;
  client: PinnedFetch;
  logger: Logger;
  maxFileBytes: number;
  /** Time limit for one file, including its body, in milliseconds. */
  timeoutMs: number;
}

/** An image whose symbols an environment's crashes need, and the run that requests them. */
interface ImageRequest {
  readonly caller: Caller;
  readonly environment: Environment;
  readonly image: WantedImage;
  readonly signal: AbortSignal;
}

/**
 * Requests the symbols that a project's crashes need from its symbol servers. A file that is found becomes an artifact like an uploaded
 * one: the worker reads it, the object store keeps it, and the crashes that needed it are symbolicated again.
 */
export class SymbolFetchService {
  constructor(private readonly parts: FetchParts) {}

  /** Queues the images that some source of the project hasn't been asked for yet, in the transaction that found them missing. */
  async want(ctx: Context, projectId: string, environment: Environment, images: readonly WantedImage[]): Promise<void> {
    const byKey = new Map(images.map((image) => [image.key, image]));
    if (byKey.size === 0) return;
    const keys = [...byKey.keys()].slice(0, MOST_IMAGES);
    const requested = await recordRequests(ctx.em, { projectId, environment }, keys, ctx.now());
    const wanted = [...byKey.values()].filter(({ key }) => requested.has(key));
    if (wanted.length > 0)
      await this.parts.jobs.enqueue(ctx, 'catch.fetch_symbols', { projectId, environment, images: wanted });
  }

  /** Requests images, a few at a time, from each source in turn until one has the file. */
  async fetch(
    projectId: string,
    environment: string,
    images: readonly WantedImage[],
    signal: AbortSignal,
  ): Promise<void> {
    if (!isEnvironment(environment)) return;
    const caller = systemCaller('symbol sources');
    const sources = await this.parts.tx.read(caller, (ctx) =>
      ctx.em.find(SymbolSource, { projectId, isEnabled: true }, { orderBy: { createdAt: 'asc', id: 'asc' } }),
    );
    const waiting = [...images];
    const lane = async (): Promise<void> => {
      for (let image = waiting.shift(); image !== undefined; image = waiting.shift()) {
        signal.throwIfAborted();
        await this.fetchImage(sources, { caller, environment, image, signal });
      }
    };
    await Promise.all(Array.from({ length: IMAGES_AT_ONCE }, lane));
  }

  private async fetchImage(sources: readonly SymbolSource[], request: ImageRequest): Promise<void> {
    const { caller, environment, image } = request;
    for (const source of sources) {
      const answer = { sourceId: source.id, environment, key: image.key };
      const isDue = await this.parts.tx.read(caller, (ctx) =>
        isUnanswered(ctx.em, source.id, environment, image.key, ctx.now()),
      );
      if (!isDue) continue;
      const { outcome, failure } = await this.fetchFrom(source, request);
      await this.parts.tx.write(caller, (ctx) => recordAnswer(ctx.em, answer, outcome, failure, ctx.now()));
      if (outcome === 'found') return;
    }
  }

  private async fetchFrom(
    source: SymbolSource,
    request: ImageRequest,
  ): Promise<{ outcome: SourceOutcome; failure: string | null }> {
    const { image, signal } = request;
    let failure: string | null = null;
    for (const path of SOURCE_LAYOUTS[source.layout].paths(image)) {
      const within = AbortSignal.any([signal, AbortSignal.timeout(this.parts.timeoutMs)]);
      try {
        if (await this.fetchFile(source, path, { ...request, signal: within }))
          return { outcome: 'found', failure: null };
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof FetchFailed || error instanceof DomainError)) throw error;
        failure = error instanceof DomainError ? error.code : error.message;
        this.parts.logger.info({ sourceId: source.id, path, failure }, 'a symbol source could not be reached');
      }
    }
    return { outcome: failure === null ? 'absent' : 'failed', failure };
  }

  /** Whether the file exists; if so, it is now an artifact. Throws FetchFailed, DomainError. */
  private async fetchFile(source: SymbolSource, path: string, request: ImageRequest): Promise<boolean> {
    const { caller, environment, image, signal } = request;
    const answer = await this.parts.client.get(source.url + path, USER_AGENT, signal);
    answer.body.on('error', () => undefined);
    try {
      if (ABSENT.has(answer.status)) return false;
      if (answer.status !== 200) throw new FetchFailed(`status:${answer.status}`);
      const file = await this.receive(answer, nameOf(image, path), signal);
      if (!(await this.isWanted(file, image))) {
        await this.parts.uploads.discard(file);
        throw new FetchFailed('content:wrong_id');
      }
      await this.parts.uploads.register(caller, source.projectId, file, { kind: image.kind, environment });
      return true;
    } finally {
      answer.body.destroy();
    }
  }

  private async receive({ body, length }: FetchedAnswer, name: string, signal: AbortSignal): Promise<ReceivedFile> {
    const { maxFileBytes, uploads } = this.parts;
    if (length !== null && length > maxFileBytes) throw new FetchFailed('content:too_large');
    try {
      const file = await uploads.receive(upTo(body, maxFileBytes), name, signal);
      if (file === TOO_LARGE) throw new FetchFailed('content:too_large');
      return file;
    } catch (error) {
      if (error instanceof FetchFailed || error instanceof DomainError) throw error;
      throw new FetchFailed(failureWord(error, signal));
    }
  }

  /** Whether a file belongs to the image, by the ids in it; a file too large to check now is checked when it is read. */
  private async isWanted(file: ReceivedFile, image: WantedImage): Promise<boolean> {
    const found = await identifyFile(this.parts.objects, file, { kind: image.kind, release: '' });
    if (found === null) return true;
    const wanted = new Set([...imageKeys(image.key), ...(image.codeId === null ? [] : [image.codeId])]);
    return found
      .split(',')
      .some((id) => [...elfKeys(normalizeKey(id)), normalizeKey(id)].some((key) => wanted.has(key)));
  }
}

/** Fails at the first byte over the limit, without reading on. */
async function* upTo(body: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > limit) throw new FetchFailed('content:too_large');
    yield chunk;
  }
}

/** The name of the artifact: the image's, or the last part of the path. */
function nameOf({ codeFile, key }: WantedImage, path: string): string {
  const ending = path.endsWith('.sym') ? '.sym' : '.debug';
  return `${codeFile?.split(/[/\\!]/).at(-1) || key}${ending}`;
}
