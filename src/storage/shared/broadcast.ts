/** Messages between the processes of one installation; what they carry is a hint to drop a cache, never data. */
export interface Broadcast {
  /** Sends to all processes, this one included. It never fails the caller: a lost message is made good within 5 s by expiry. */
  publish(channel: string, message: string): void;
  /** Listens to a channel; the returned function ends it. `null` says that messages may have been missed. */
  subscribe(channel: string, listener: (message: string | null) => void): () => void;
  close(): Promise<void>;
}
