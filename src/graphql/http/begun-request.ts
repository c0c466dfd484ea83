import type { IncomingMessage } from 'node:http';
import type { GraphqlOperation } from './operation.js';

/** How far a request got before it reached the web framework. */
export interface BegunRequest {
  /** The JSON body; null if there is none. */
  readonly body: Promise<object | null>;
  operation?: Promise<GraphqlOperation>;
}

const begun = new WeakMap<IncomingMessage, BegunRequest>();

/** Records how far a request got, so that no step is repeated. */
export function noteBegun(message: IncomingMessage, how: BegunRequest): void {
  begun.set(message, how);
}

/** How far a request got; undefined if nothing has started. */
export const begunRequest = (message: IncomingMessage): BegunRequest | undefined => begun.get(message);
