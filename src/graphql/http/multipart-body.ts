import { processRequest } from 'graphql-upload-minimal';
import type { Middleware } from 'koa';
import { hangUpIfUnread } from '../../kernel/hang-up.js';
import { LIMITS } from '../limits.js';

/** Caps of a GraphQL request with files. */
export interface MultipartCaps {
  maxBodyBytes: number;
}

/**
 * Reads a GraphQL multipart request (jaydenseric's specification) up to its file; the resolver streams the file itself, after
 * it has asked for permission.
 */
export function graphqlMultipart(caps: MultipartCaps): Middleware {
  return async (koa, next) => {
    if (koa.path !== '/graphql' || !/^multipart\/form-data\b/i.test(koa.get('content-type'))) return next();
    hangUpIfUnread(koa.req, koa.res);
    if (Number(koa.get('content-length') || 0) > caps.maxBodyBytes) {
      koa.status = 413;
      koa.body = refusal('The request body is larger than this server accepts.', 'PAYLOAD_TOO_LARGE');
      return;
    }
    // A request that no preflight guards must not reach the files: the header proves that a script of ours sent it.
    if (!koa.get('apollo-require-preflight') && !koa.get('x-apollo-operation-name')) {
      koa.status = 400;
      koa.body = refusal('Send the header apollo-require-preflight with a multipart request.', 'BAD_REQUEST');
      return;
    }
    try {
      const body = await processRequest(koa.req, koa.res, {
        maxFieldSize: LIMITS.bodyBytes,
        // The upload itself refuses files over its own cap, in its own words; this one ends bodies without a length.
        maxFileSize: caps.maxBodyBytes,
        maxFiles: 1,
      });
      (koa as unknown as { request: { body: unknown } }).request.body = Array.isArray(body) ? {} : body;
    } catch (error) {
      koa.status = 400;
      koa.body = refusal(`The multipart request cannot be read: ${(error as Error).message}`, 'BAD_REQUEST');
      return;
    }
    return next();
  };
}

const refusal = (message: string, code: string) => ({ errors: [{ message, extensions: { code } }] });
