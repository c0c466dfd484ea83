import { error, type FaceCode } from '../face/error-table.js';
import { SchemaComponents } from './components.js';
import { TAGS } from './description.js';
import { errorResponses, refusalsOf } from './error-responses.js';
import { SHARED_HEADERS } from './headers.js';
import { type Operation, operationObject } from './operation.js';
import { SERVER_OPERATIONS } from './server-operations.js';
import { shareResponses } from './shared-responses.js';

/** What every route can return, whatever it does. */
const EVERYWHERE: readonly FaceCode[] = ['payload_too_large', 'unavailable', 'internal'];

const INTRODUCTION = `Quarterdeck's REST API. The dashboard's GraphQL API is at \`/graphql\`.

- Bodies are JSON in UTF-8, nested at most 256 deep. \`gzip\`, \`deflate\` and \`br\` are decompressed. Unknown fields are ignored.
- Every error has a stable text in \`error\` that programs can rely on, listed with its exact body under its status. Expect new error
  texts and new fields in the future.
- Unknown paths return \`404 {"error":"not_found"}\`, other methods \`405 {"error":"method_not_allowed"}\` with \`Allow\`. \`HEAD\` works
  wherever \`GET\` does.
- Every response has an \`x-request-id\`. Retry 429 and 503 with backoff; there is no \`Retry-After\`.
- Operations with a project key, and this document, can be called from pages of any origin (CORS, without credentials).
- Operations tagged Aliases are the same as those named in \`x-alias-of\`, under an alternative path.`;

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token of a user (GraphQL `signIn`) or an API token for automation (`createApiToken`).',
  },
  projectKey: {
    type: 'apiKey',
    in: 'header',
    name: 'x-api-key',
    description: 'A project key, `sk_live_…` or `sk_test_…`, which determines the project and the environment.',
  },
  projectKeyInAddress: {
    type: 'apiKey',
    in: 'query',
    name: 'api_key',
    description: 'The project key for `navigator.sendBeacon`, which cannot set headers; the header takes precedence.',
  },
  streamTicket: {
    type: 'apiKey',
    in: 'query',
    name: 'ticket',
    description: 'A ticket for a project key, valid for one to two hours, for clients that cannot send headers.',
  },
  metricsToken: { type: 'http', scheme: 'bearer', description: 'The value of the setting METRICS_TOKEN.' },
} as const;

/** The OpenAPI 3.1 document of the routes and the server's own paths; client generators leave out `aliases`. */
export function openApiDocument(routes: readonly Operation[], withAliases = true): object {
  const components = new SchemaComponents();
  const paths: Record<string, Record<string, object>> = {};
  const add = (path: string, method: string, operation: object) => {
    const template = templateOf(path);
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  };
  for (const route of routes) add(route.path, route.method, operationObject(route, EVERYWHERE, components));
  for (const route of SERVER_OPERATIONS) add(route.path, route.method, operationObject(route, [], components));
  const responses = shareResponses(Object.values(paths).flatMap((path) => Object.values(path)));
  for (const { path, method, aliases = [] } of withAliases ? routes : []) {
    const template = templateOf(path);
    const operation = paths[template]?.[method.toLowerCase()] as object;
    for (const [index, alias] of aliases.entries()) add(alias, method, aliasOf(operation, template, index));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quarterdeck',
      version: '1.0.0',
      summary: 'A self-hosted product platform.',
      description: INTRODUCTION,
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => withAliases || name !== 'Aliases')
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: SHARED_HEADERS,
      responses: { ...responses, ...unrouted(components) },
      schemas: components.all(),
    },
  };
}

const templateOf = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

function aliasOf(operation: object, path: string, index: number): object {
  const {
    operationId,
    tags: _,
    summary,
    ...others
  } = operation as { operationId: string; tags: string[]; summary: string };
  return {
    operationId: `${operationId}Alias${index === 0 ? '' : index + 1}`,
    tags: ['Aliases'],
    summary,
    ...others,
    'x-alias-of': path,
  };
}

/** The response for unknown operations; no operation refers to it. */
function unrouted(components: SchemaComponents): Record<string, object> {
  const rows = { not_found: error(404, 'not_found'), method_not_allowed: error(405, 'method_not_allowed') };
  const refusals = refusalsOf(rows, Object.keys(rows), { id: '', tag: 'Server', summary: '', answers: {} });
  const responses = errorResponses(refusals, components);
  return { NoSuchPath: responses[404] as object, MethodNotAllowed: responses[405] as object };
}
