import type { Connection } from './connection.js';
import type { DecisionClient } from './decision-client.js';
import { pauseAfter, spread } from './failing.js';
import { parsedJson } from './json.js';
import type { HttpAnswer, OpenEvents } from './platform.js';

/** What a stream tells; the modules call for another handshake. */
const NAMES = ['ready', 'surveys', 'switch', 'config', 'deploy', 'catch', 'analytics'];
/** With an open stream polling only bridges what a stream cannot notice: a connection that died without a word. */
const SAFETY_POLL_MS = 300_000;
/** After so long the server decides by what it was told about a person (docs/rest.md, Handshake). */
const TOLD_MS = 1_250;
/** After so long every process of the server answers by a change. */
const LAG_MS = 5_000;

/** What the stream says of a change (docs/rest.md, Streams). */
export interface Notice {
  /** Version of what answers are made from. */
  readonly etag?: string;
  /** Pass for the requests that follow. */
  readonly refetch?: string;
}

export interface LiveOptions {
  readonly stream: boolean;
  readonly pollSeconds: number;
  /** Other tabs, which may ask about something else, should ask too. */
  readonly onNotice: (notice?: Notice | null) => void;
  /** The list of surveys changed. */
  readonly onSurveys: () => void;
  /** The server answers again after it did not. */
  readonly onReachable: () => void;
}

/** Keeps decisions fresh: by the stream that the handshake names, by polling with ETag while there is none. */
export class LiveUpdates {
  private events?: OpenEvents | null;
  private stopTimer?: () => void;
  private failures = 0;
  private brokenStreams = 0;
  private refreshing = 0;
  /** A follower hears from elsewhere and asks by itself only what it is told to; one that rests asks nothing. */
  private state: 'following' | 'leading' | 'resting' = 'following';

  constructor(
    private readonly connection: Connection,
    private readonly decisions: DecisionClient,
    private readonly options: LiveOptions,
  ) {}

  get isStreaming(): boolean {
    return !!this.events;
  }

  /** Watches for changes from now on. */
  lead(): void {
    this.state = 'leading';
    this.options.onNotice();
    // One that is under way goes on as the first of these.
    if (!this.refreshing) void this.refresh();
  }

  /** Watches no longer. */
  stop(state: 'following' | 'resting'): void {
    this.state = state;
    this.stopTimer?.();
    this.events?.close();
    this.events = null;
  }

  /** Asks now, and again when it is time. */
  async refresh(notice?: Notice | null): Promise<void> {
    this.refreshing += 1;
    const { status = 500, headers }: Partial<HttpAnswer> = (await this.decisions.refresh(notice?.refetch)) ?? {};
    this.refreshing -= 1;
    if (this.state === 'resting') return;
    const { platform } = this.connection;
    if (status === 429 || status >= 500) {
      this.failures += 1;
      this.again(pauseAfter(this.failures, platform, headers?.get('retry-after')));
      return;
    }
    this.failures = 0;
    this.options.onReachable();
    const isRefused = status >= 400;
    if (isRefused)
      platform.warn(`Quarterdeck: the handshake was refused with ${status}; check the key and its origins.`);
    if (this.state !== 'leading') return;
    const stream = headers?.get('quarterdeck-stream') ?? '';
    if (stream && !this.events) this.open(stream);
    const isBehind = !stream.includes(notice?.etag?.slice(1, -1) ?? '');
    const isTold = this.events && !headers?.get('quarterdeck-timed');
    this.again(isBehind ? LAG_MS : isRefused || isTold ? SAFETY_POLL_MS : this.options.pollSeconds * 1_000);
  }

  /** The server was told something about the person. */
  told(): void {
    this.connection.platform.later(TOLD_MS, () => {
      // What failed is tried again anyway, no sooner than the server said.
      if (!this.failures && this.state !== 'resting') this.look();
    });
  }

  /** Asks, and lets other tabs ask. */
  private look(notice?: Notice | null): void {
    this.options.onNotice(notice);
    void this.refresh(notice);
  }

  private again(milliseconds: number): void {
    this.stopTimer?.();
    const { platform } = this.connection;
    this.stopTimer = platform.later(spread(milliseconds, platform), () =>
      this.failures ? void this.refresh() : this.look(),
    );
  }

  private open(path: string): void {
    if (!this.options.stream) return;
    const { platform, url } = this.connection;
    this.events = platform.openEvents(url + path, NAMES, {
      event: (name, data) => {
        if (name === 'ready') {
          this.brokenStreams = 0;
          this.options.onReachable();
        } else if (name === 'surveys') this.options.onSurveys();
        else this.look(parsedJson(data) as Notice | null);
      },
      // The handshake that follows brings another ticket, should this one have been too old.
      failed: () => {
        this.events = null;
        this.brokenStreams += 1;
        this.again(Math.min(pauseAfter(this.brokenStreams, platform), this.options.pollSeconds * 1_000));
      },
    });
  }
}
