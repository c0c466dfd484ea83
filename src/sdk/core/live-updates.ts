import type { Connection } from './connection.js';
import type { DecisionClient } from './decision-client.js';
import { pauseAfter } from './failing.js';
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
}

/** Keeps decisions fresh: by the stream that the handshake names, by polling with ETag while there is none. */
export class LiveUpdates {
  private events: OpenEvents | null = null;
  private stopTimer: (() => void) | null = null;
  private failures = 0;
  private brokenStreams = 0;
  private running = false;
  private refreshing = 0;

  constructor(
    private readonly connection: Connection,
    private readonly decisions: DecisionClient,
    private readonly options: LiveOptions,
  ) {}

  get isStreaming(): boolean {
    return this.events !== null;
  }

  start(): void {
    if (this.running) return;
    this.running = true;
    // One that is under way goes on as the first of these.
    if (this.refreshing === 0) void this.refresh();
  }

  stop(): void {
    this.running = false;
    this.stopTimer?.();
    this.events?.close();
    this.events = null;
  }

  /** Asks now, and again when it is time. */
  async refresh(pass?: string): Promise<void> {
    this.refreshing += 1;
    const refreshed = await this.decisions.refresh(pass);
    this.refreshing -= 1;
    if (!this.running) return;
    const { platform } = this.connection;
    if (refreshed.is === 'busy') {
      this.failures += 1;
      return this.again(pauseAfter(this.failures, platform, refreshed.retryAfter));
    }
    this.failures = 0;
    if (refreshed.is === 'refused') {
      platform.warn(
        `Quarterdeck: the handshake was refused with ${refreshed.status}; look at the project key and its origins.`,
      );
      return this.again(SAFETY_POLL_MS);
    }
    if (refreshed.stream && !this.events) this.open(refreshed.stream);
    this.again(this.events ? SAFETY_POLL_MS : this.options.pollSeconds * 1_000);
  }

  private again(milliseconds: number): void {
    this.stopTimer?.();
    const { platform } = this.connection;
    this.stopTimer = platform.later(milliseconds * (0.9 + platform.random() * 0.2), () => void this.refresh());
  }

  private open(path: string): void {
    if (!this.options.stream) return;
    const { platform, url } = this.connection;
    this.events = platform.openEvents(url + path, ['ready', ...DECIDED, 'surveys'], {
      event: (name, data) => {
        if (name === 'ready') this.brokenStreams = 0;
        else if (name === 'surveys') this.options.onSurveys();
        else void this.refresh(passIn(data));
      },
      // The handshake that follows brings another ticket, should this one have been too old.
      failed: () => {
        this.events = null;
        this.brokenStreams += 1;
        if (this.running)
          this.again(Math.min(pauseAfter(this.brokenStreams, platform), this.options.pollSeconds * 1_000));
      },
    });
  }
}

function passIn(data: string): string | undefined {
  try {
    return (JSON.parse(data) as { refetch?: string }).refetch;
  } catch {
    return undefined;
  }
}
