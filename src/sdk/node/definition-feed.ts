import { ask, type Connection, jsonOf } from '../core/connection.js';
import { pauseAfter, spread } from '../core/failing.js';
import type { OpenEvents } from '../core/platform.js';
import { followingDefinitions, type TaggedDefinitions } from './definition-patch.js';
import { type Definitions, definitionsOf } from './definitions.js';

const DEFINITIONS_PATH = '/api/v1/switch/definitions';

/** How changes arrive. */
const STREAM_PATH = `${DEFINITIONS_PATH}/stream`;
/** With an open stream, polling only covers connections that died unnoticed. */
const SAFETY_POLL_MS = 300_000;
/** A server process may learn of a change up to 5 s after the one that holds the stream. */
const LAG_MS = 6_000;
/** A stream that lasts this long works. */
const TRIAL_MS = 30_000;
/** After this many streams in a row broke early or silently, something in between does not support streams, for now. */
const MOST_BROKEN = 10;
const REST_MS = 300_000;
/** Failures in a row of a server that has answered before; fewer are a restart or a moment without network. */
const WORTH_TELLING = 4;

/** The tag as the stream names it: a proxy that compresses an answer adds `W/` (nginx) or `-gzip` (Apache). */
const plainTag = (header: string | null): string =>
  (header ?? '').replace(/^W\/|(?:--?|;)(?:gzip|br|zstd|deflate)(?="$)/g, '');

export interface FeedOptions {
  readonly stream: boolean;
  readonly pollSeconds: number;
  /** Called when the definitions have changed. */
  readonly onDefinitions: (definitions: Definitions) => void;
  /** Called when the server answers, with any status. */
  readonly onReachable: () => void;
  /** Why the last request got no answer. */
  readonly problem: () => string;
}

/**
 * Keeps definitions fresh with a stream of changes, or by polling with `If-None-Match` where there is none. While the
 * server is unavailable it retries with growing pauses and keeps what it has.
 */
export class DefinitionFeed {
  private known: TaggedDefinitions | null = null;
  /** Definitions that a poll or the stream has contradicted: a differing next poll is newer. */
  private doubted: TaggedDefinitions | null = null;
  /** The stream sent a change that does not follow from the known definitions. */
  private isBehind = false;
  private events: OpenEvents | null = null;
  private stopTimer: (() => void) | null = null;
  private failures = 0;
  /** Whether the server has ever answered with definitions. */
  private isProven = false;
  private brokenStreams = 0;
  private stopTrial: (() => void) | null = null;
  private restsSince = Number.NEGATIVE_INFINITY;
  private running = false;
  private asking: Promise<boolean> | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly options: FeedOptions,
  ) {}

  get isStreaming(): boolean {
    return this.events !== null;
  }

  /** Makes the first request; resolves with whether the server has answered. */
  start(): Promise<boolean> {
    this.running = true;
    return this.refresh();
  }

  stop(): void {
    this.running = false;
    this.stopTimer?.();
    this.events?.close();
    this.events = null;
  }

  /** Asks now. */
  refresh(): Promise<boolean> {
    this.asking ??= this.ask().finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  private async ask(): Promise<boolean> {
    const { platform } = this.connection;
    const before = this.known;
    const known: Record<string, string> = before === null ? {} : { 'if-none-match': before.etag };
    const answer = await ask(this.connection, DEFINITIONS_PATH, undefined, known);
    const status = answer?.status ?? 0;
    const body = answer && status !== 304 ? await jsonOf(answer) : null;
    const definitions = status === 200 ? definitionsOf(body) : null;
    if (!this.running) return false;
    // A proxy without its server answers like this, too, without the server's JSON.
    const isRefused = (status === 401 || status === 403 || status === 404) && Object(body).error !== undefined;
    if (definitions || status === 304 || isRefused) this.options.onReachable();
    if (answer && (definitions || status === 304)) {
      this.failures = 0;
      this.isProven = true;
      // What the stream brought in the meantime is newer, and what it brought before may be.
      const isNew = definitions !== null && this.known === before;
      const isDoubtful = isNew && this.events !== null && !this.isBehind && this.doubted !== before;
      if (isNew && !isDoubtful) this.take({ etag: plainTag(answer.headers.get('etag')), definitions });
      const isUnsure = isDoubtful || this.isBehind;
      this.doubted = isUnsure ? this.known : null;
      this.isBehind = false;
      this.open();
      this.again(this.events ? (isUnsure ? LAG_MS : SAFETY_POLL_MS) : this.options.pollSeconds * 1_000);
      return true;
    }
    if (isRefused) {
      const what = status === 404 ? 'the url' : 'that the project key is valid and has the scope "definitions"';
      platform.warn(`Quarterdeck: ${DEFINITIONS_PATH} answered ${status}. Check ${what}.`);
      this.again(SAFETY_POLL_MS);
      return false;
    }
    this.failures += 1;
    if (this.failures === (this.isProven ? WORTH_TELLING : 1)) this.tellUnreachable(status);
    this.again(pauseAfter(this.failures, platform, answer?.headers.get('retry-after')));
    return false;
  }

  private tellUnreachable(status: number): void {
    const { platform, url } = this.connection;
    const what =
      status === 0 ? `cannot be reached: ${this.options.problem()}` : `answered ${status} without definitions`;
    platform.warn(
      `Quarterdeck: ${url} ${what}. Check the url, the network and any proxy. Until the server answers, flags and config keep their last values, or the fallbacks.`,
    );
  }

  private again(milliseconds: number): void {
    this.stopTimer?.();
    const { platform } = this.connection;
    this.stopTimer = platform.later(spread(milliseconds, platform), () => void this.refresh());
  }

  private take(tagged: TaggedDefinitions): void {
    this.known = tagged;
    this.options.onDefinitions(tagged.definitions);
  }

  private open(): void {
    const { platform, url } = this.connection;
    if (!this.options.stream || this.events || Math.abs(platform.now() - this.restsSince) < REST_MS) return;
    const position = encodeURIComponent(this.known?.etag ?? '');
    this.events = platform.openEvents(`${url}${STREAM_PATH}?last_event_id=${position}`, [], {
      event: (name, data) => {
        // What opens and breaks at once is as bad as what does not open.
        this.stopTrial ??= platform.later(TRIAL_MS, () => {
          this.brokenStreams = 0;
        });
        this.options.onReachable();
        if (name !== 'put' && name !== 'patch') return;
        const following = followingDefinitions(this.known, name, data);
        if (following) {
          this.take(following);
          return;
        }
        this.isBehind = true;
        void this.refresh();
      },
      failed: () => {
        this.events = null;
        this.stopTrial?.();
        this.stopTrial = null;
        this.brokenStreams += 1;
        if (this.brokenStreams >= MOST_BROKEN) this.restsSince = platform.now();
        // Failed requests are retried anyway, never before the server allows.
        if (this.running && this.failures === 0)
          this.again(Math.min(pauseAfter(this.brokenStreams, platform), this.options.pollSeconds * 1_000));
      },
    });
  }
}
