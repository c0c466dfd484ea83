import { type AnyVariables, createRequest } from 'urql';
import { client } from './client.js';
import type { TypedDocument } from './typed-document.js';

/** What was asked for this long ago, or less, a page that opens need not ask for again. */
const WARM_MS = 5_000;

const warmedAt = new Map<number, number>();

/** Asks for what a page will ask for, while its script is on the way. */
export function warm<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): void {
  const { key } = createRequest(document.toString(), variables);
  warmedAt.set(key, Date.now());
  void client.query(document.toString(), variables, { requestPolicy: 'cache-and-network' }).toPromise();
}

/** Whether this was asked for a moment ago, or is being asked for. */
export const isWarm = (key: number): boolean => Date.now() - (warmedAt.get(key) ?? 0) < WARM_MS;
