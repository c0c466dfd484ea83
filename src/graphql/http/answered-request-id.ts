import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the GraphQL request that is being answered, for what the library calls without saying of which request. */
export const answeredRequestId = new AsyncLocalStorage<string>();
