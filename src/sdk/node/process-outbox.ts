import { Outbox } from '../core/outbox.js';

/** An outbox whose waiting items another process can send. */
export class ProcessOutbox<Item> extends Outbox<Item> {
  /** Waiting items, each as JSON. */
  get items(): string[] {
    return [...this.waiting.values()];
  }
}
