/**
 * Carries short texts to every process, this one included, in order. `send` rejects when it cannot hand a text over;
 * a text that was handed over may still be lost.
 */
export interface BroadcastTransport {
  /** Calls `onListening` whenever it listens anew: what others sent before may be missed. */
  open(deliver: (text: string) => void, onListening: () => void): void;
  send(text: string): Promise<void>;
  /** Gives up its connection, which seems dead, for a new one. */
  reset(): void;
  close(): Promise<void>;
}
