import type { AddressGuard } from '../../../kernel/outbound/target-address.js';
import { type PoolSettings, TargetPools } from '../../../kernel/outbound/target-pools.js';
import { checkedAddresses, type NameResolver, TargetUnreachable } from '../../../kernel/outbound/target-resolution.js';
import type { Target } from '../../../kernel/outbound/target-url.js';

/** Bytes of a response kept for the attempt log, and the maximum read (docs/events.md). */
const ANSWER_KEPT_BYTES = 4 * 1024;
const ANSWER_READ_BYTES = 64 * 1024;

/** The result of one attempt. `status` is null if no response began; `failure` then says why. */
export interface AttemptResult {
  status: number | null;
  /** `timeout`, or a kind and code: `dns:ENOTFOUND`, `address:loopback`, `connection:ECONNRESET`. Null if a response began. */
  failure: string | null;
  /** From the first lookup of the target until the end of the response, in milliseconds. */
  latencyMs: number;
  /** The first {@link ANSWER_KEPT_BYTES} of the response, as they came: not decompressed, read as UTF-8. */
  answer: string;
  /** The response's `Retry-After`, unparsed. */
  retryAfter: string | null;
}

export interface TransportSettings extends PoolSettings {
  /** Time limit for the whole attempt: resolution, connection, request, response. Milliseconds. */
  timeoutMs: number;
}

export const TRANSPORT_DEFAULTS: TransportSettings = { timeoutMs: 15_000, connectionsPerTarget: null, pools: 4_096 };

const CONSTANT_HEADERS = { 'content-type': 'application/json', 'user-agent': 'Quarterdeck-Webhooks/1' };

/** Sends deliveries: one POST per attempt, without following redirects, keeping nothing but the connection between attempts. */
export class DeliveryTransport {
  private readonly pools: TargetPools;

  constructor(
    readonly guard: AddressGuard,
    readonly resolve: NameResolver,
    readonly settings: TransportSettings,
  ) {
    this.pools = new TargetPools(settings);
  }

  /** One attempt. Never rejects: every outcome is a result. */
  attempt(target: Target, headers: object, body: string): Promise<AttemptResult> {
    const attempt = new Attempt(this.settings.timeoutMs);
    if (target.isLiteral) this.send(attempt, target, headers, body);
    else void this.sendToName(attempt, target, headers, body);
    return attempt.result;
  }

  /** Closes every connection; attempts in progress fail. */
  async close(): Promise<void> {
    await this.pools.close();
  }

  private async sendToName(attempt: Attempt, target: Target, headers: object, body: string): Promise<void> {
    try {
      this.dispatch(attempt, target, await checkedAddresses(target, this.guard, this.resolve), headers, body);
    } catch (error) {
      attempt.fail(error);
    }
  }

  private send(attempt: Attempt, target: Target, headers: object, body: string): void {
    const denied = this.guard.refusal(target.host);
    if (denied === null) this.dispatch(attempt, target, [target.host], headers, body);
    else attempt.fail(new TargetUnreachable('address', denied));
  }

  private dispatch(
    attempt: Attempt,
    target: Target,
    addresses: readonly string[],
    headers: object,
    body: string,
  ): void {
    if (attempt.isOver) return;
    const request = {
      method: 'POST' as const,
      path: target.path,
      headers: { ...CONSTANT_HEADERS, ...headers },
      body,
    };
    this.pools.pool(target, addresses).dispatch(request, attempt);
  }
}

/** The handlers that undici calls for one request. Once `isOver`, later calls change nothing. */
class Attempt {
  readonly result: Promise<AttemptResult>;
  private readonly settle: (result: AttemptResult) => void;
  private over = false;
  private abort: ((reason: Error) => void) | null = null;
  private readonly startedAt = performance.now();
  private readonly deadline: NodeJS.Timeout;
  private status: number | null = null;
  private retryAfter: string | null = null;
  private readonly kept: Buffer[] = [];
  private keptBytes = 0;
  private readBytes = 0;

  constructor(timeoutMs: number) {
    ({ promise: this.result, resolve: this.settle } = Promise.withResolvers<AttemptResult>());
    this.deadline = setTimeout(() => this.end('timeout'), timeoutMs);
  }

  get isOver(): boolean {
    return this.over;
  }

  fail(error: unknown): void {
    this.end(failureWord(error));
  }

  onRequestStart(controller: { abort(reason: Error): void }): void {
    // A request that waited for its connection past the deadline must not be sent after its attempt was logged.
    if (this.over) controller.abort(new Error('the attempt is over'));
    else this.abort = (reason) => controller.abort(reason);
  }

  onResponseStart(_controller: unknown, status: number, headers: Record<string, string | string[] | undefined>): void {
    if (status < 200) return;
    this.status = status;
    const retryAfter = headers['retry-after'];
    if (typeof retryAfter === 'string') this.retryAfter = retryAfter;
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.readBytes += chunk.length;
    if (this.keptBytes < ANSWER_KEPT_BYTES) {
      // The parser's buffer is reused for the next chunk.
      const part = Buffer.from(chunk.subarray(0, ANSWER_KEPT_BYTES - this.keptBytes));
      this.kept.push(part);
      this.keptBytes += part.length;
    }
    if (this.readBytes >= ANSWER_READ_BYTES) this.end(null);
  }

  onResponseEnd(): void {
    this.abort = null;
    this.end(null);
  }

  onRequestUpgrade(_controller: unknown, _status: number, _headers: unknown, socket: { destroy(): unknown }): void {
    socket.destroy();
    this.end('connection:UPGRADE');
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.abort = null;
    this.fail(error);
  }

  private end(failure: string | null): void {
    if (this.over) return;
    this.over = true;
    clearTimeout(this.deadline);
    this.abort?.(new Error('the attempt is over'));
    this.abort = null;
    this.settle({
      status: this.status,
      failure: this.status === null ? failure : null,
      latencyMs: Math.round(performance.now() - this.startedAt),
      answer: this.kept.length === 0 ? '' : Buffer.concat(this.kept).toString('utf8'),
      retryAfter: this.retryAfter,
    });
  }
}

function failureWord(error: unknown): string {
  if (error instanceof TargetUnreachable) return error.message;
  if (!(error instanceof Error)) return 'connection:UNKNOWN';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  return code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : `connection:${code}`;
}
