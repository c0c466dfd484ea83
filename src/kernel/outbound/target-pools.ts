import { isIP, type LookupFunction } from 'node:net';
import { Pool } from 'undici';
import type { Target } from './target-url.js';

const CONNECT_TIMEOUT_MS = 5_000;
const IDLE_POOL_MS = 30_000;
const ADDRESSES_TRIED = 8;

interface Entry {
  pool: Pool;
  usedAt: number;
}

export interface PoolSettings {
  /**
   * Maximum connections per origin. Null leaves the limit to the lanes: subscriptions share origins (a chat service's
   * hooks, for example), and a hanging one must not use up the connections of the others.
   */
  connectionsPerTarget: number | null;
  /** Maximum number of pools; the least recently used is closed first. */
  pools: number;
  /** Certificates to trust in addition to the system's, as PEM. */
  ca?: string;
}

/**
 * Keep-alive connections, keyed by origin and checked addresses: a pool can only connect to the addresses checked for
 * the attempt that created it, and an attempt whose name resolves elsewhere gets another pool.
 */
export class TargetPools {
  private readonly entries = new Map<string, Entry>();
  private readonly sweep: NodeJS.Timeout;

  constructor(readonly settings: PoolSettings) {
    this.sweep = setInterval(() => this.closeIdle(), IDLE_POOL_MS / 2).unref();
  }

  /** The pool for a target at addresses that passed the guard. */
  pool(target: Target, addresses: readonly string[]): Pool {
    const key = `${target.origin} ${addresses.length === 1 ? addresses[0] : [...addresses].sort().join(' ')}`;
    let entry = this.entries.get(key);
    if (entry === undefined) {
      if (this.entries.size >= this.settings.pools) this.closeOldest();
      entry = { pool: this.open(target, addresses.slice(0, ADDRESSES_TRIED)), usedAt: 0 };
    } else {
      this.entries.delete(key);
    }
    entry.usedAt = Date.now();
    this.entries.set(key, entry);
    return entry.pool;
  }

  async close(): Promise<void> {
    clearInterval(this.sweep);
    const pools = [...this.entries.values()];
    this.entries.clear();
    await Promise.all(pools.map(({ pool }) => pool.destroy()));
  }

  private open(target: Target, addresses: readonly string[]): Pool {
    return new Pool(target.origin, {
      connections: this.settings.connectionsPerTarget,
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: {
        timeout: CONNECT_TIMEOUT_MS,
        lookup: fixedLookup(addresses),
        autoSelectFamily: addresses.length > 1,
        ...(this.settings.ca === undefined ? {} : { ca: this.settings.ca }),
      },
    });
  }

  private closeIdle(): void {
    const limit = Date.now() - IDLE_POOL_MS;
    for (const [key, entry] of this.entries) {
      if (entry.usedAt > limit) return;
      this.closePool(key, entry);
    }
  }

  private closeOldest(): void {
    const oldest = this.entries.entries().next().value;
    if (oldest !== undefined) this.closePool(...oldest);
  }

  private closePool(key: string, entry: Entry): void {
    this.entries.delete(key);
    void entry.pool.close();
  }
}

/** Resolves the connection's name to the checked addresses, so that no second lookup takes place. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_name, options, callback) => {
    const first = answers[0];
    if (options.all === true) callback(null, answers);
    else if (first !== undefined) callback(null, first.address, first.family);
  };
}
