import type { Connection } from './connection.js';
import type { DecisionClient } from './decision-client.js';
import { pauseAfter, spread } from './failing.js';
import { parsedJson } from './json.js';
import { LAG_MS, SAFETY_POLL_MS, TOLD_MS, TRIAL_MS } from './limits.js';
import type { HttpAnswer, OpenEvents } from './platform.js';

/** Events of a stream; a change in a module calls for another handshake. */
const NAMES = ['ready', 'surveys', 'switch', 'config', 'deploy', 'catch', 'analytics'];

/** A change notice from the stream (docs/rest.md, Streams). */
export interface Notice {
  /** The version of the data that answers are made from. */
  readonly etag?: string;
  /** A pass for the requests that follow. */
  readonly refetch?: string;
}

export interface LiveOptions {
  readonly stream: boolean;
  readonly pollSeconds: number;
  /** Tells other tabs, which may have other subjects, to ask too. */
  readonly onNotice: (notice?: Notice | null) => void;
  /** Called when the list of surveys has changed. */
  readonly onSurveys: () => void;
  /** Called when the server answers again after an outage. */
  readonly onReachable: () => void;
}

/** Keeps decisions fresh with the stream that the handshake names, or by polling with an ETag while there is none. */
export class LiveUpdates {
  private events?: OpenEvents | null;
  private stopTimer?: () => void;
  private stopTrial?: () => void;
  private failures = 0;
  private brokenStreams = 0;
  private refreshing = 0;
  /** A follower gets answers from the leading tab and asks only when told to; a resting tab asks nothing. */
  private state: 'following' | 'leading' | 'resting' = 'following';

  constructor(
    private readonly connection: Connection,
    private readonly decisions: DecisionClient,
    private readonly options: LiveOptions,
  ) {}

  get isStreaming(): boolean {
    return !!this.events;
  }

  /** Starts watching for changes. */
  lead(): void {
    this.state = 'leading';
    this.options.onNotice();
    // A request in flight counts as the first.
    if (!this.refreshing) void this.refresh();
  }

  /** Stops watching. */
  stop(state: 'following' | 'resting'): void {
    this.state = state;
    this.stopTimer?.();
    this.drop();
  }

  /** Asks now, then on schedule. */
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
    if (isRefused) platform.warn(`Quarterdeck: the handshake was refused (${status}); check the key and its origins.`);
    if (this.state !== 'leading') return;
    const stream = headers?.get('quarterdeck-stream') ?? '';
    if (stream && !this.events) this.open(stream);
    const isBehind = !stream.includes(notice?.etag?.slice(1, -1) ?? '');
    const isTold = this.events && !headers?.get('quarterdeck-timed');
    this.again(isBehind ? LAG_MS : isRefused || isTold ? SAFETY_POLL_MS : this.options.pollSeconds * 1_000);
  }

  /** Called when the server has been sent data about the person. */
  told(): void {
    this.connection.platform.later(TOLD_MS, () => {
      // Failed requests are retried anyway, never before the server allows.
      if (!this.failures && this.state !== 'resting') this.look();
    });
  }

  /** Asks, and tells other tabs to ask. */
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
    let isReady = false;
    // The next handshake brings a new ticket, in case this one has expired.
    const failed = (): void => {
      this.drop();
      this.brokenStreams += 1;
      // Failed requests are retried anyway, never before the server allows.
      if (!this.failures)
        this.again(Math.min(pauseAfter(this.brokenStreams, platform), this.options.pollSeconds * 1_000));
    };
    this.stopTrial = platform.later(TRIAL_MS, () => {
      if (isReady) this.brokenStreams = 0;
      else if (this.events) failed();
    });
    this.events = platform.openEvents(url + path, NAMES, {
      event: (name, data) => {
        if (name === 'ready') {
          isReady = true;
          this.options.onReachable();
        } else if (name === 'surveys') this.options.onSurveys();
        else this.look(parsedJson(data) as Notice | null);
      },
      failed,
    });
  }

  private drop(): void {
    this.stopTrial?.();
    this.events?.close();
    this.events = null;
  }
}
