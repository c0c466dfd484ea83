import type { ApolloServerPlugin } from '@apollo/server';
import { GraphQLError, type OperationDefinitionNode, print } from 'graphql';
import { processRequest, Upload } from 'graphql-upload-minimal';
import type { Middleware, Next, ParameterizedContext } from 'koa';
import { refuseAnnounced } from '../../kernel/bodies/request-bytes.js';
import { leaveUnread } from '../../kernel/requests/hang-up.js';
import { catchFailure } from '../../modules/catch/catch.errors.js';
import { isSecondFile } from '../../modules/catch/symbols/graphql-upload.js';
import { domainErrorOf } from '../errors.js';
import { type GraphqlBodies, refusal, refuseBody } from './body.js';

/** Parts that are read whole: `operations` and `map`. */
const TEXT_FIELDS = 2;

/**
 * Reads a GraphQL multipart request (jaydenseric's specification) up to its file. The resolver streams the file itself, after it has
 * checked permission.
 */
export function graphqlMultipart(bodies: GraphqlBodies): Middleware<{ address: string }> {
  const answer = formReader(bodies);
  return async (koa, next) => {
    if (koa.path !== '/graphql' || !/^multipart\/form-data\b/i.test(koa.get('content-type'))) return next();
    try {
      await answer(koa, next);
    } finally {
      if (leaveUnread(koa.req, koa.res)) koa.set('connection', 'close');
    }
  };
}

function formReader(bodies: GraphqlBodies) {
  return async (koa: ParameterizedContext<{ address: string }>, next: Next): Promise<void> => {
    // A request without a preflight must not reach the files: the header proves that it isn't a plain cross-origin form.
    if (!koa.get('apollo-require-preflight') && !koa.get('x-apollo-operation-name')) {
      koa.status = 400;
      koa.body = refusal('Send the header apollo-require-preflight with a multipart request.', 'BAD_REQUEST');
      return;
    }
    const holding = bodies.budget.open(koa.state.address);
    try {
      refuseAnnounced(koa.req, bodies.multipartCap);
      await holding.grow(TEXT_FIELDS * bodies.jsonCap);
      // A request that ended with its headers won't emit its end again.
      if (koa.req.readableEnded) throw new Error('Unexpected end of form');
      const body = await processRequest(koa.req, koa.res, {
        maxFieldSize: bodies.jsonCap,
        // The upload itself rejects files over its own limit with its own error; this limit stops bodies of unknown length.
        maxFileSize: bodies.multipartCap,
        maxFiles: 1,
      });
      Object.assign(koa.request, { body: Array.isArray(body) ? {} : body });
    } catch (error) {
      if (refuseBody(koa, error, bodies.multipartCap)) return;
      koa.status = 400;
      koa.body = isSecondFile(error)
        ? refusal(catchFailure('too_many_files').message, 'TOO_MANY_FILES')
        : refusal(`The multipart request cannot be read: ${(error as Error).message}`, 'BAD_REQUEST');
      return;
    } finally {
      holding.close();
    }
    return next();
  };
}

/** Operation errors that mean a malformed form. */
const BROKEN_FORM = new Set(['incomplete_file', 'too_many_files', 'missing_file']);

/** Refuses files for anything but an `Upload`, and answers 400 when a form turned out to be malformed after its operation had begun. */
export const brokenForms: ApolloServerPlugin = {
  async requestDidStart() {
    return {
      async didResolveOperation({ request, operation }) {
        if (operation && /^multipart\//i.test(request.http?.headers.get('content-type') ?? ''))
          refuseMisplacedFile(operation, request.variables ?? {});
      },
      async willSendResponse({ response, errors = [] }) {
        if (errors.some((error) => BROKEN_FORM.has(domainErrorOf(error)?.code ?? ''))) response.http.status = 400;
      },
    };
  },
};

function refuseMisplacedFile(
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): void {
  const types = new Map(variableDefinitions.map(({ variable, type }) => [variable.name.value, print(type)]));
  const misplaced = Object.entries(variables).find(([name, value]) =>
    value instanceof Upload ? !/^Upload!?$/.test(types.get(name) ?? '') : holdsFile(value),
  );
  if (!misplaced) return;
  const [name] = misplaced;
  const problem = types.has(name) ? `"$${name}" has type ${types.get(name)}` : `the operation declares no "$${name}"`;
  const message = `Map the file to a variable of type Upload: ${problem}.`;
  throw new GraphQLError(message, {
    extensions: { code: 'BAD_USER_INPUT', fields: [{ path: name, message }], http: { status: 400 } },
  });
}

function holdsFile(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (next instanceof Upload) return true;
    if (typeof next === 'object' && next !== null) for (const member of Object.values(next)) left.push(member);
  }
  return false;
}
