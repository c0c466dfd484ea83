import type { Readable } from 'node:stream';
import type { AddressGuard } from './target-address.js';
import { TargetPools } from './target-pools.js';
import { checkedAddresses, type NameResolver, TargetUnreachable } from './target-resolution.js';
import { isRefusal, readTarget, type Target } from './target-url.js';

const POOLS = 64;
const CONNECTIONS_PER_TARGET = 8;
const MOST_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A response whose headers have arrived. The body must be read or destroyed. */
export interface FetchedAnswer {
  status: number;
  /** `Content-Length`, or null. */
  length: number | null;
  body: Readable;
}

/**
 * Why there is no response: `dns:…`, `address:…`, `url:…`, `redirect:…`, `timeout` or `connection:…`, as in webhook
 * attempts.
 */
export class FetchFailed extends Error {
  override readonly name = 'FetchFailed';
}

/**
 * Fetches user-supplied URLs with the same protection as deliveries: every address is checked before connecting,
 * including those of redirects.
 */
export class PinnedFetch {
  private readonly pools = new TargetPools({ connectionsPerTarget: CONNECTIONS_PER_TARGET, pools: POOLS });

  constructor(
    private readonly guard: AddressGuard,
    private readonly resolve: NameResolver,
  ) {}

  /**
   * GET. Follows at most three redirects, never from https to http.
   *
   * @param signal ends the request and the reading of its body
   * @throws FetchFailed
   */
  async get(url: string, userAgent: string, signal: AbortSignal): Promise<FetchedAnswer> {
    let target = this.read(url);
    for (let redirects = 0; ; redirects++) {
      const answer = await this.request(target, userAgent, signal);
      if (!REDIRECTS.has(answer.status)) return answer;
      answer.body.on('error', () => undefined).destroy();
      if (redirects === MOST_REDIRECTS) throw new FetchFailed('redirect:too_many');
      const next = URL.parse(answer.location ?? '', target.href);
      if (next === null) throw new FetchFailed('redirect:without_address');
      if (target.protocol === 'https:' && next.protocol !== 'https:') throw new FetchFailed('redirect:to_http');
      target = this.read(next.href);
    }
  }

  /** Closes every connection; requests in flight fail. */
  async close(): Promise<void> {
    await this.pools.close();
  }

  private read(url: string): Target {
    const target = readTarget(url, this.guard);
    if (isRefusal(target)) throw new FetchFailed(target.reason.replace(/^(address|url)_/, '$1:'));
    return target;
  }

  private async request(
    target: Target,
    userAgent: string,
    signal: AbortSignal,
  ): Promise<FetchedAnswer & { location: string | undefined }> {
    try {
      const addresses = await checkedAddresses(target, this.guard, this.resolve);
      const { statusCode, headers, body } = await this.pools.pool(target, addresses).request({
        method: 'GET',
        path: target.path,
        headers: { 'user-agent': userAgent, 'accept-encoding': 'identity' },
        signal,
      });
      const { location, 'content-length': length } = headers;
      return {
        status: statusCode,
        length: typeof length === 'string' && /^\d{1,15}$/.test(length) ? Number(length) : null,
        location: typeof location === 'string' ? location : undefined,
        body,
      };
    } catch (error) {
      throw new FetchFailed(failureWord(error, signal));
    }
  }
}

/** What went wrong, as a short code that is safe to show. */
export function failureWord(error: unknown, signal: AbortSignal): string {
  if (error instanceof TargetUnreachable) return error.message;
  if (signal.aborted) return 'timeout';
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
  return code === 'UND_ERR_CONNECT_TIMEOUT' ? 'timeout' : `connection:${code}`;
}
