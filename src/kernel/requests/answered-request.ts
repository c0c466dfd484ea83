import type { ServerResponse } from 'node:http';

/** What the handler of a request reports about it, for metrics and traces. */
export interface AnsweredRequest {
  /** Path of the route with its parameters' names. */
  readonly route: string;
  /** Code of the refusal; empty when there was none. */
  readonly refusal: string;
  readonly requestId: string;
}

const ANSWERED = Symbol('answered');

type Marked = ServerResponse & { [ANSWERED]?: AnsweredRequest | null };

/** Asks for a report on this response; where nobody does, none is kept. */
export function awaitReport(response: ServerResponse): void {
  (response as Marked)[ANSWERED] = null;
}

/** Records the report on the response, if it is asked for. */
export function noteAnswer(response: ServerResponse, answered: AnsweredRequest): void {
  if (ANSWERED in response) (response as Marked)[ANSWERED] = answered;
}

/** The report, or undefined when no handler left one. */
export function answeredRequest(response: ServerResponse): AnsweredRequest | undefined {
  return (response as Marked)[ANSWERED] ?? undefined;
}
