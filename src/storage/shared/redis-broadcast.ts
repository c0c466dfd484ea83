import type { Redis } from 'ioredis';
import type { BroadcastTransport } from './broadcast-transport.js';
import { connectSubscriber, type RedisLink } from './redis.js';

const CHANNEL = 'quarterdeck:broadcast';

export class RedisBroadcast implements BroadcastTransport {
  private subscriber: Redis | undefined;

  /** Publishes on `link`; subscribes on a separate connection to `url`. */
  constructor(
    private readonly url: string,
    private readonly link: RedisLink,
  ) {}

  open(deliver: (text: string) => void, onListening: () => void): void {
    const subscriber = connectSubscriber(this.url);
    this.subscriber = subscriber;
    subscriber.on('message', (_channel, text) => deliver(text));
    subscriber.on('ready', () => {
      subscriber.subscribe(CHANNEL).then(onListening, () => subscriber.disconnect(true));
    });
  }

  async send(text: string): Promise<void> {
    const sent = await this.link.attempt((client) => client.publish(CHANNEL, text));
    if (sent === undefined) throw new Error('Redis does not answer');
  }

  reset(): void {
    this.subscriber?.disconnect(true);
  }

  async close(): Promise<void> {
    this.subscriber?.disconnect();
  }
}
