import { type AnyVariables, createRequest } from 'urql';
import { client } from './client.js';
import type { TypedDocument } from './typed-document.js';

/** What was asked this long ago, or less, a page that opens need not ask again. */
const WARM_MS = 5_000;

const warmedAt = new Map<number, number>();

/** Asks what a page will ask, while its script is on the way. */
export function warm<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): void {
  const { key } = createRequest(document.toString(), variables);
  warmedAt.set(key, Date.now());
  void client.query(document.toString(), variables, { requestPolicy: 'cache-and-network' }).toPromise();
}

/** Whether this was asked a moment ago, or is being asked. */
export const isWarm = (key: number): boolean => Date.now() - (warmedAt.get(key) ?? 0) < WARM_MS;
