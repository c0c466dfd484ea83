import { type ApolloServer, HeaderMap, type HTTPGraphQLRequest } from '@apollo/server';
import type { Middleware, ParameterizedContext } from 'koa';
import { endWithText } from '../../kernel/requests/text-answer.js';
import type { OperationCounts } from '../operation-counts.js';
import { begunRequest } from './begun-request.js';
import type { GraphqlRequest } from './caller.js';
import type { GraphqlOperation } from './operation.js';
import type { RepeatedQueries } from './repeated-queries.js';

/**
 * Passes requests to Apollo through its web framework interface, and returns its answers. The Koa package parses every URL with Node's
 * deprecated parser, which costs more than everything else it does.
 */
export function answeredByApollo<State extends GraphqlRequest['state']>(
  apollo: ApolloServer<GraphqlOperation>,
  repeated: RepeatedQueries,
  counts: OperationCounts,
  operationOf: (asking: GraphqlRequest) => Promise<GraphqlOperation>,
): Middleware<State> {
  return async (koa) => {
    let asking: GraphqlOperation | undefined;
    const { status, headers, body } = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: requestOf(koa),
      context: async () => {
        asking = await (begunRequest(koa.req)?.operation ?? operationOf(koa));
        return asking;
      },
    });
    counts.answered('apollo');
    if (body.kind !== 'complete') throw new Error('Incremental delivery is not supported: the schema has no @defer');
    koa.status = status ?? 200;
    koa.respond = false;
    endWithText(koa.res, koa.status, graphqlHeaders(headers), body.string);
    const contentType = headers.get('content-type');
    if (asking && koa.status === 200 && headers.size === 1 && contentType)
      repeated.learn(koa.req, (koa.request as { body?: object }).body ?? {}, asking.progress, contentType);
  };
}

/** The headers of a GraphQL response, names and values alternating, the same on every path. */
export function graphqlHeaders(own: ReadonlyMap<string, string>): string[] {
  const pairs = [...own].flat();
  return own.has('cache-control') ? pairs : [...pairs, 'cache-control', 'no-store'];
}

function requestOf(koa: ParameterizedContext): HTTPGraphQLRequest {
  const headers = new HeaderMap();
  for (const [name, value] of Object.entries(koa.req.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  const { body } = koa.request as { body?: unknown };
  return { method: koa.method, headers, search: koa.search, body };
}
