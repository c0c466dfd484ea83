import type { Static } from 'typebox';
import { catchFailure } from '../../src/modules/catch/catch.errors.js';
import type { ResumableUploadService } from '../../src/modules/catch/symbols/resumable/resumable-upload.service.js';
import type { SymbolUploadService } from '../../src/modules/catch/symbols/symbol-upload.service.js';
import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import { shapedWhenAsked } from '../body-shapes.js';
import { bearerToken } from '../callers.js';
import { type RestRequest, type Route, route } from '../route.js';
import { artifactAnswer } from './bodies.js';
import { catchErrors } from './errors.js';
import { announcedProject, settledProject } from './symbol-upload.js';
import { abandonUpload, beginUpload, completeUpload, getUpload, putPart } from './upload-descriptions.js';
import { AnnouncedFileBody, beginAnswer, PartBody, uploadAnswer } from './upload-schemas.js';

const PATH = '/api/v1/catch/symbols/uploads';

export const uploadRoutes = (uploads: ResumableUploadService, files: SymbolUploadService): Route[] => [
  route({
    method: 'POST',
    path: PATH,
    caller: bearerToken,
    least: 'editor',
    body: shapedWhenAsked(AnnouncedFileBody, BODY_CAPS.command, (problems) =>
      catchFailure('invalid_upload', {
        problems: problems.map(({ path, problem }) => `${path} ${problem}`.trim()).join('; '),
      }),
    ),
    runs: 'write',
    verb: async (ctx, request) => {
      const project = await announcedProject(files, ctx, request);
      const body = request.body();
      return uploads.begin(ctx, await settledProject(ctx, request, project, body.project_id), announced(body));
    },
    answer: beginAnswer,
    errors: catchErrors,
    describes: beginUpload,
  }),
  route({
    method: 'GET',
    path: `${PATH}/:id`,
    caller: bearerToken,
    least: 'editor',
    runs: 'read',
    verb: (ctx, { params }) => uploads.get(ctx, params.id),
    answer: (progress) => ({ status: 200, body: uploadAnswer(progress) }),
    errors: catchErrors,
    describes: getUpload,
  }),
  route({
    method: 'PUT',
    path: `${PATH}/:id/parts/:offset`,
    caller: bearerToken,
    least: 'editor',
    body: { reads: 'stream', cap: BODY_CAPS.part, schema: PartBody, mediaType: 'application/octet-stream' },
    runs: 'own',
    verb: (ctx, request) => {
      const { id, offset = '' } = request.params;
      const at = /^\d{1,15}$/.test(offset) ? Number(offset) : -1;
      const sha256 = sha256Of(request.headers['content-digest']);
      return uploads.receivePart(ctx, id, at, sha256, decoded(request), request.signal);
    },
    answer: (progress) => ({ status: 200, body: uploadAnswer(progress) }),
    errors: { ...catchErrors, body_cut_off: catchErrors.invalid_part },
    describes: putPart,
  }),
  route({
    method: 'POST',
    path: `${PATH}/:id/complete`,
    caller: bearerToken,
    least: 'editor',
    runs: 'own',
    verb: (ctx, { params, signal }) => uploads.complete(ctx, params.id, signal),
    answer: (artifact) => ({ status: 201, body: artifactAnswer(artifact) }),
    errors: catchErrors,
    describes: completeUpload,
  }),
  route({
    method: 'DELETE',
    path: `${PATH}/:id`,
    caller: bearerToken,
    least: 'editor',
    runs: 'write',
    verb: (ctx, { params }) => uploads.abandon(ctx, params.id),
    answer: () => ({ status: 200, body: { deleted: true } }),
    errors: catchErrors,
    describes: abandonUpload,
  }),
];

const announced = (body: Static<typeof AnnouncedFileBody>) => ({
  kind: body.kind,
  environment: body.environment ?? null,
  release: body.release ?? null,
  matchKey: body.match_key ?? null,
  commitSha: body.commit_sha ?? null,
  fileName: body.file_name,
  sizeBytes: body.size_bytes,
  sha256: body.sha256.toLowerCase(),
});

/** The SHA-256 of a `Content-Digest` field (RFC 9530, 2) in hexadecimal. */
function sha256Of(field: string | string[] | undefined): string | null {
  const text = Array.isArray(field) ? field.join(',') : (field ?? '');
  const found = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/]{43}=):/.exec(text)?.[1];
  return found === undefined ? null : Buffer.from(found, 'base64').toString('hex');
}

/**
 * The bytes of a part. The store buffers chunks before it writes them, but a body's chunk is invalid once the next one is requested.
 *
 * @throws DomainError `invalid_part` for bytes that are not in their Content-Encoding, or an unknown one
 */
async function* decoded(request: RestRequest): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of request.bytes().rest()) yield Buffer.from(chunk);
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'invalid_body') throw error;
    throw catchFailure('invalid_part', {
      field: 'file',
      problem: 'its bytes are not in its Content-Encoding, which can be gzip, deflate or br',
    });
  }
}
