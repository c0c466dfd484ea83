import { Type } from 'typebox';
import { entityTag } from '../../src/modules/handshake/slice.js';
import { anybodyAnywhere } from '../callers.js';
import { faceErrors } from '../face/error-table.js';
import { taggedAnswer } from '../face/etag.js';
import { IfNoneMatch, oneOf } from '../field-schemas.js';
import { type Route, route } from '../route.js';
import { describe, notModified } from './description.js';
import { openApiDocument } from './document.js';

const CACHED = 'public, max-age=300';

const described = describe({
  id: 'getOpenApiDocument',
  tag: 'Server',
  summary: 'Get this document',
  query: Type.Object({
    aliases: Type.Optional(
      oneOf(['0', '1'], 'Set to `0` to leave out the alternative paths of operations, for client generators.'),
    ),
  }),
  headers: IfNoneMatch,
  answers: {
    200: {
      description: 'The OpenAPI 3.1 document.',
      schema: Type.Object({ openapi: Type.String({ examples: ['3.1.0'] }) }, { additionalProperties: true }),
      tagged: true,
      cacheControl: [CACHED],
    },
    304: notModified({ cacheControl: [CACHED] }),
  },
});

/** `GET /openapi.json`: documents these routes, itself included; generated on the first request. */
export function openApiRoutes(routes: readonly Route[]): Route[] {
  const made = new Map<boolean, { body: Buffer; etag: string }>();
  const own: Route = route({
    method: 'GET',
    path: '/openapi.json',
    caller: anybodyAnywhere,
    runs: 'own',
    verb: async (_ctx, { query }) => {
      const withAliases = query.get('aliases') !== '0';
      const known = made.get(withAliases);
      if (known) return known;
      const text = JSON.stringify(openApiDocument([...routes, own], withAliases));
      const document = { body: Buffer.from(text), etag: entityTag(text) };
      made.set(withAliases, document);
      return document;
    },
    answer: (made, request) => taggedAnswer(made, CACHED, request),
    errors: faceErrors,
    describes: described,
  });
  return [own];
}
