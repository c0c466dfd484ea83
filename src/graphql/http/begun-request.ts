import type { IncomingMessage } from 'node:http';
import type { GraphqlOperation } from './operation.js';

/** How far a request has come before the web framework got it. */
export interface BegunRequest {
  /** The JSON that it brought along; null for none. */
  readonly body: Promise<object | null>;
  operation?: Promise<GraphqlOperation>;
}

const begun = new WeakMap<IncomingMessage, BegunRequest>();

/** Notes how far a request has come, so that nothing of it is done again. */
export function noteBegun(message: IncomingMessage, how: BegunRequest): void {
  begun.set(message, how);
}

/** How far a request had come; undefined where nothing was begun. */
export const begunRequest = (message: IncomingMessage): BegunRequest | undefined => begun.get(message);
