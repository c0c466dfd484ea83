import type { ServerResponse } from 'node:http';

export interface AnsweredRequest {
  /** The route's path with parameter names. */
  readonly route: string;
  /** The refusal's code, or empty. */
  readonly refusal: string;
  readonly requestId: string;
}

const ANSWERED = Symbol('answered');

type Marked = ServerResponse & { [ANSWERED]?: AnsweredRequest | null };

/** Requests a report on this response; without a request none is kept. */
export function awaitReport(response: ServerResponse): void {
  (response as Marked)[ANSWERED] = null;
}

/** Records the report on the response, if requested. */
export function noteAnswer(response: ServerResponse, answered: AnsweredRequest): void {
  if (ANSWERED in response) (response as Marked)[ANSWERED] = answered;
}

/** The report, or undefined when no handler left one. */
export function answeredRequest(response: ServerResponse): AnsweredRequest | undefined {
  return (response as Marked)[ANSWERED] ?? undefined;
}
