import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the GraphQL request being answered, for library callbacks that don't say which request they belong to. */
export const answeredRequestId = new AsyncLocalStorage<string>();
