import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Broadcast } from './broadcast.js';
import { type Counters, NamedCounters, ProcessCounters } from './counters.js';
import { PostgresBroadcast } from './postgres-broadcast.js';
import { RedisLink } from './redis.js';
import { RedisBroadcast } from './redis-broadcast.js';
import { RedisCounters } from './redis-counters.js';
import { SharedBroadcast } from './shared-broadcast.js';

/** State that processes of one installation share besides the database. */
export interface SharedState {
  counters: Counters;
  broadcast: Broadcast;
  /** Whether Redis answers; null without one. */
  redisAnswers: () => boolean | null;
  close(): Promise<void>;
}

/** Counters and broadcast in Redis if configured; else in-process counters and PostgreSQL's LISTEN/NOTIFY. */
export function openSharedState(options: {
  redisUrl: string | null;
  redisPatienceMs: number;
  databaseUrl: string;
  jwtSecret: string;
  clock: Clock;
  logger: Logger;
}): SharedState {
  if (!options.redisUrl) {
    const broadcast = new SharedBroadcast(new PostgresBroadcast(options.databaseUrl));
    return {
      counters: new ProcessCounters(options.clock),
      broadcast,
      redisAnswers: () => null,
      close: () => broadcast.close(),
    };
  }
  let answering = true;
  const link = new RedisLink({
    url: options.redisUrl,
    patienceMs: options.redisPatienceMs,
    onChange: (failure) => {
      answering = failure === null;
      if (failure === null) options.logger.info('Redis answers again');
      // The error contains the command, which may include the password.
      else
        options.logger.warn(
          { reason: failure.message },
          'Redis does not answer; this process counts alone until it does',
        );
    },
  });
  const broadcast = new SharedBroadcast(new RedisBroadcast(options.redisUrl, link));
  return {
    counters: new NamedCounters(new RedisCounters(link, options.clock), options.jwtSecret),
    broadcast,
    redisAnswers: () => answering,
    close: async () => {
      await broadcast.close();
      await link.close();
    },
  };
}
