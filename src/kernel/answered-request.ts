import type { ServerResponse } from 'node:http';

/** What whoever answers a request says of it, for metrics and traces. */
export interface AnsweredRequest {
  /** Path of the route with its parameters' names. */
  readonly route: string;
  /** Code of the refusal; empty when there was none. */
  readonly refusal: string;
  readonly requestId: string;
}

const ANSWERED = Symbol('answered');

type Marked = ServerResponse & { [ANSWERED]?: AnsweredRequest };

/** Leaves word about a request on its response. */
export function noteAnswer(response: ServerResponse, answered: AnsweredRequest): void {
  (response as Marked)[ANSWERED] = answered;
}

/** The word that was left; undefined when nobody answered. */
export function answeredRequest(response: ServerResponse): AnsweredRequest | undefined {
  return (response as Marked)[ANSWERED];
}
