import { Redis, type RedisOptions } from 'ioredis';

const LAST_CHANCE_MS = 10;
const LONGEST_RETRY_MS = 1000;
const PROBE_EVERY_MS = 250;
/** Written to see whether Redis takes writes: a full one, or a replica, still answers PING. */
const PROBE_KEY = 'quarterdeck:probe';

export interface RedisLinkOptions {
  url: string;
  /** Timeout of a command in milliseconds, more than 10. */
  patienceMs: number;
  /** Called once per change when Redis stops answering (with the reason) and starts again (with null). */
  onChange?: (failure: Error | null) => void;
}

/**
 * A Redis connection that never blocks a caller for long: commands have a timeout, and after a failure all are skipped
 * until a background probe, a write, is answered in time. Reconnects by itself, forever.
 */
export class RedisLink {
  readonly client: Redis;
  private probing: NodeJS.Timeout | undefined;
  private asking = false;

  constructor(private readonly options: RedisLinkOptions) {
    this.client = connect(options.url);
    this.client.on('error', (error: Error) => this.fail(error));
    this.client.on('close', () => this.fail(new Error('Redis closed the connection')));
  }

  /** Whether the last command or probe was answered. */
  get answering(): boolean {
    return this.probing === undefined;
  }

  /** Runs a command. Undefined at once when Redis is known to be unavailable, or after the timeout. */
  async run<T>(command: (client: Redis) => Promise<T>): Promise<T | undefined> {
    return this.answering ? this.attempt(command) : undefined;
  }

  /** Runs a command even while others are skipped, for callers who keep nobody waiting. */
  async attempt<T>(command: (client: Redis) => Promise<T>): Promise<T | undefined> {
    try {
      return await answerOf(command(this.client), this.options.patienceMs);
    } catch (error) {
      this.fail(error as Error);
      return undefined;
    }
  }

  close(): void {
    clearInterval(this.probing);
    this.client.removeAllListeners('close');
    this.client.disconnect();
  }

  private fail(failure: Error): void {
    if (this.probing) return;
    this.probing = setInterval(() => void this.probe(), PROBE_EVERY_MS);
    this.probing.unref();
    this.options.onChange?.(failure);
  }

  private async probe(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    const answered = await answerOf(this.client.set(PROBE_KEY, '', 'PX', 1), this.options.patienceMs).then(
      () => true,
      () => false,
    );
    this.asking = false;
    if (!answered || !this.probing) return;
    clearInterval(this.probing);
    this.probing = undefined;
    this.options.onChange?.(null);
  }
}

/**
 * Rejects when an answer takes longer than `patienceMs`. It waits in two parts, each with a turn of the event loop, so
 * that an answer that arrived while this process was busy still counts.
 */
async function answerOf<T>(answer: Promise<T>, patienceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const giveUp = () => setImmediate(() => reject(new Error('Redis took too long')));
    timer = setTimeout(() => {
      timer = setTimeout(giveUp, LAST_CHANCE_MS);
    }, patienceMs - LAST_CHANCE_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A client for subscriptions, which need their own connection. */
export function connectSubscriber(url: string): Redis {
  // If the connection ends while the library resubscribes by itself, its unhandled rejection would end the process.
  const client = connect(url, { autoResubscribe: false });
  client.on('error', () => {});
  return client;
}

function connect(url: string, options: RedisOptions = {}): Redis {
  return new Redis(url, {
    ...options,
    protocol: 2,
    connectTimeout: 2000,
    socketTimeout: 5000,
    enableOfflineQueue: false,
    enableAutoPipelining: true,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), LONGEST_RETRY_MS),
  });
}
