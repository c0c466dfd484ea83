import { type AnyVariables, createRequest } from 'urql';
import { client } from './client.js';
import type { TypedDocument } from './typed-document.js';

/** A page that opens doesn't refetch data requested this recently. */
const WARM_MS = 5_000;

const warmedAt = new Map<number, number>();

/** Prefetches a page's data while its script loads. */
export function warm<Data, Variables extends AnyVariables>(
  document: TypedDocument<Data, Variables>,
  variables: Variables,
): void {
  const { key } = createRequest(document.toString(), variables);
  warmedAt.set(key, Date.now());
  void client.query(document.toString(), variables, { requestPolicy: 'cache-and-network' }).toPromise();
}

/** Whether this was requested just now or is under way. */
export const isWarm = (key: number): boolean => Date.now() - (warmedAt.get(key) ?? 0) < WARM_MS;
