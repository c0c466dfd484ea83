import type { DescribedAnswer } from './description.js';

/** Headers that responses share, for `components.headers`. */
export const SHARED_HEADERS = {
  RequestId: {
    description:
      "Include it when you report a problem. The request's own id if it has 8 to 64 of A–Z, a–z, 0–9, _ and -.",
    required: true,
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{8,64}$' },
    example: '019a9c6e-2f6b-7d1e-9a53-5c2f4c1b8a10',
  },
  ETag: {
    description: 'Strong entity tag; send it back in `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^"[^"]+"$' },
    example: '"8Jx0uJ0rQv2yqS5h1mKdTg3nWcE"',
  },
  NoStore: {
    description: 'The response must not be cached.',
    required: true,
    schema: { type: 'string', enum: ['no-store'] },
  },
} as const;

export const REQUEST_ID = { $ref: '#/components/headers/RequestId' };
export const NO_STORE = { $ref: '#/components/headers/NoStore' };
const ETAG = { $ref: '#/components/headers/ETag' };

export function answerHeaders({
  tagged,
  cacheControl,
  headers = {},
  optionalHeaders = {},
}: Pick<DescribedAnswer, 'tagged' | 'cacheControl' | 'headers' | 'optionalHeaders'>): Record<string, object> {
  const others = Object.entries({ ...headers, ...optionalHeaders }).map(([name, description]): [string, object] => [
    name,
    { description, required: name in headers, schema: { type: 'string' } },
  ]);
  return {
    'x-request-id': REQUEST_ID,
    'cache-control': cacheControl ? { required: true, schema: { type: 'string', enum: [...cacheControl] } } : NO_STORE,
    ...(tagged ? { etag: ETAG } : {}),
    ...Object.fromEntries(others),
  };
}
