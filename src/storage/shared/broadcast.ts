/** Messages between the processes of one installation: hints to invalidate a cache, never data. */
export interface Broadcast {
  /**
   * Sends to all processes, including this one. It never fails the caller: expiry makes up for a lost message within 5
   * s.
   */
  publish(channel: string, message: string): void;
  /** Tells the listeners of all channels in all processes that messages may have been missed. */
  publishStale(): void;
  /** Listens to a channel; the returned function stops listening. `null` means that messages may have been missed. */
  subscribe(channel: string, listener: (message: string | null) => void): () => void;
  close(): Promise<void>;
}
