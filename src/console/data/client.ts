import { Client, fetchExchange, mapExchange } from 'urql';
import { cache } from './cache.js';
import { isSignedOut } from './failures.js';
import { freshness, newestAnswer } from './freshness.js';
import { watchedLine } from './line.js';
import { endSession, sessionHeaders } from './session.js';

/** Without `accept`, urql asks for a stream, which the server supports only for subscriptions. */
export const optionsWith = (headers: Record<string, string>): RequestInit => ({
  credentials: 'same-origin',
  headers: { accept: 'application/graphql-response+json, application/json', ...headers },
});

/** Talks to this origin only: the session is in a cookie, and the header keeps other origins from using it. */
export const client = new Client({
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: () => optionsWith(sessionHeaders()),
  exchanges: [
    freshness,
    mapExchange({
      onResult({ error }) {
        if (isSignedOut(error)) endSession();
      },
    }),
    cache,
    newestAnswer,
    watchedLine,
    fetchExchange,
  ],
});
