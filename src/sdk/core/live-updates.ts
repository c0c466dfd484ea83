import type { Connection } from './connection.js';
import type { DecisionClient } from './decision-client.js';
import { pauseAfter, spread } from './failing.js';
import { parsedJson } from './json.js';
import type { OpenEvents } from './platform.js';

/** Modules whose notices call for another handshake. */
const DECIDED = ['switch', 'config', 'deploy', 'catch', 'analytics'];
/** With an open stream polling only bridges what a stream cannot notice: a connection that died without a word. */
const SAFETY_POLL_MS = 300_000;

export interface LiveOptions {
  readonly stream: boolean;
  readonly pollSeconds: number;
  /** The list of surveys changed. */
  readonly onSurveys: () => void;
  /** The server answers again after it did not. */
  readonly onReachable: () => void;
}

/** Keeps decisions fresh: by the stream that the handshake names, by polling with ETag while there is none. */
export class LiveUpdates {
  private events: OpenEvents | null = null;
  private stopTimer: (() => void) | null = null;
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
    return this.events !== null;
  }

  /** Watches for changes from now on. */
  lead(): void {
    if (this.state === 'leading') return;
    this.state = 'leading';
    // One that is under way goes on as the first of these.
    if (this.refreshing === 0) void this.refresh();
  }

  follow(): void {
    this.stop('following');
  }

  rest(): void {
    this.stop('resting');
  }

  /** Asks now, and again when it is time. */
  async refresh(pass?: string): Promise<void> {
    this.refreshing += 1;
    const refreshed = await this.decisions.refresh(pass);
    this.refreshing -= 1;
    if (this.state === 'resting') return;
    const { platform } = this.connection;
    if (refreshed.is === 'busy') {
      this.failures += 1;
      this.again(pauseAfter(this.failures, platform, refreshed.retryAfter));
      return;
    }
    this.failures = 0;
    this.options.onReachable();
    if (refreshed.is === 'refused') {
      const { status } = refreshed;
      platform.warn(`Quarterdeck: the handshake was refused with ${status}; check the key and its origins.`);
    } else if (this.state === 'leading' && refreshed.stream && !this.events) this.open(refreshed.stream);
    if (this.state === 'leading')
      this.again(refreshed.is === 'refused' || this.events ? SAFETY_POLL_MS : this.options.pollSeconds * 1_000);
  }

  private stop(state: 'following' | 'resting'): void {
    this.state = state;
    this.stopTimer?.();
    this.stopTimer = null;
    this.events?.close();
    this.events = null;
  }

  private again(milliseconds: number): void {
    this.stopTimer?.();
    const { platform } = this.connection;
    this.stopTimer = platform.later(spread(milliseconds, platform), () => void this.refresh());
  }

  private open(path: string): void {
    if (!this.options.stream) return;
    const { platform, url } = this.connection;
    this.events = platform.openEvents(url + path, ['ready', ...DECIDED, 'surveys'], {
      event: (name, data) => {
        if (name === 'ready') {
          this.brokenStreams = 0;
          this.options.onReachable();
        } else if (name === 'surveys') this.options.onSurveys();
        else void this.refresh((parsedJson(data) as { refetch?: string } | null)?.refetch);
      },
      // The handshake that follows brings another ticket, should this one have been too old.
      failed: () => {
        this.events = null;
        this.brokenStreams += 1;
        if (this.state !== 'leading') return;
        this.again(Math.min(pauseAfter(this.brokenStreams, platform), this.options.pollSeconds * 1_000));
      },
    });
  }
}
