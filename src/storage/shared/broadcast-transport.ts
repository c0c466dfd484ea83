/**
 * Carries short texts to every process, including this one, in order. `send` rejects when it cannot deliver a text to
 * the transport; a sent text may still be lost.
 */
export interface BroadcastTransport {
  /** Calls `onListening` whenever it starts listening again: earlier messages may have been missed. */
  open(deliver: (text: string) => void, onListening: () => void): void;
  send(text: string): Promise<void>;
  /** Replaces its apparently dead connection. */
  reset(): void;
  close(): Promise<void>;
}
