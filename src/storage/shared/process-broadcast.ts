import type { Broadcast } from './broadcast.js';

type Listener = (message: string | null) => void;

/** Broadcasts synchronously within this process: a message is delivered when `publish` returns. */
export class ProcessBroadcast implements Broadcast {
  private readonly channels = new Map<string, Set<Listener>>();

  publish(channel: string, message: string): void {
    for (const listener of this.channels.get(channel) ?? []) listener(message);
  }

  subscribe(channel: string, listener: Listener): () => void {
    const listeners = this.channels.get(channel) ?? new Set();
    this.channels.set(channel, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  publishStale(): void {
    for (const listeners of this.channels.values()) for (const listener of listeners) listener(null);
  }

  async close(): Promise<void> {
    this.channels.clear();
  }
}
