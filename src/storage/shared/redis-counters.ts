import type { Result } from 'ioredis';
import type { Clock } from '../../kernel/clock.js';
import { type Counters, minuteOf, ProcessCounters } from './counters.js';
import type { RedisLink } from './redis.js';

const KEPT_MS = 120_000;
const SCRIPT = `local count, known = redis.call('INCR', KEYS[1]), tonumber(ARGV[2])
if count < known then
  redis.call('SET', KEYS[1], known, 'PX', ARGV[1])
  return known
end
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`;

/**
 * Counters that all processes share through Redis, exact while it answers. Each process remembers the last count and
 * continues from there: when Redis is unavailable, only later counts of other processes are missing, and a Redis that
 * has lost its data gets the count back from the first process that asks. A process never knows more than was counted.
 */
export class RedisCounters implements Counters {
  private readonly own: ProcessCounters;

  constructor(
    private readonly link: RedisLink,
    private readonly clock: Clock,
  ) {
    this.own = new ProcessCounters(clock);
    link.client.defineCommand('countOne', { numberOfKeys: 1, lua: SCRIPT });
  }

  async increment(key: string): Promise<number> {
    const name = this.name(key);
    const own = this.own.increment(key);
    const shared = await this.link.run((client) => client.countOne(name, KEPT_MS, own));
    if (shared === undefined || shared <= own) return own;
    if (name === this.name(key)) this.own.raise(key, shared);
    return shared;
  }

  async read(key: string): Promise<number> {
    const name = this.name(key);
    const own = await this.own.read(key);
    const shared = await this.link.run((client) => client.get(name));
    return Math.max(own, Number(shared ?? 0));
  }

  /** The braces keep a bucket on one cluster node. */
  private name(key: string): string {
    return `quarterdeck:count:{${key}}:${minuteOf(this.clock.now())}`;
  }
}

declare module 'ioredis' {
  interface RedisCommander<Context> {
    countOne(key: string, keptMs: number, known: number): Result<number, Context>;
  }
}
