import type { CrashIngestService } from '../../src/modules/catch/crashes/crash-ingest.service.js';
import type { ResumableUploadService } from '../../src/modules/catch/symbols/resumable/resumable-upload.service.js';
import type { SymbolArtifactService } from '../../src/modules/catch/symbols/symbol-artifact.service.js';
import type { SymbolUploadService } from '../../src/modules/catch/symbols/symbol-upload.service.js';
import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import { OBJECT_LINKS_PATH } from '../../src/storage/objects/object-link-settings.js';
import type { ObjectStore } from '../../src/storage/objects/object-store.js';
import { anybody, beaconKey, bearerToken, projectKey } from '../callers.js';
import { namedProject } from '../named-project.js';
import { type Route, route } from '../route.js';
import { artifactAnswer, artifactsAnswer, crashesAnswer } from './bodies.js';
import { sendCrashEvents, uploadProfile } from './crash-uploads.js';
import {
  deleteSymbols,
  downloadObject,
  listSymbols,
  uploadProfile as profileDescribed,
  sendCrashes,
  uploadSymbols as uploadDescribed,
} from './descriptions.js';
import { catchErrors } from './errors.js';
import { downloadAnswer, openDownload } from './object-download.js';
import { CrashBody, ProfileBody, UploadForm } from './schemas.js';
import { uploadSymbols } from './symbol-upload.js';
import { uploadRoutes } from './upload-routes.js';

export interface CatchParts {
  uploads: SymbolUploadService;
  resumableUploads: ResumableUploadService;
  artifacts: SymbolArtifactService;
  crashes: CrashIngestService;
  objects: ObjectStore;
  /** Those of the server's secrets that are still accepted. */
  linkSecrets: readonly string[];
}

export const catchRoutes = (parts: CatchParts): Route[] => [
  ...uploadRoutes(parts.resumableUploads, parts.uploads),
  route({
    method: 'POST',
    path: '/api/v1/catch/symbols',
    caller: bearerToken,
    least: 'editor',
    body: { reads: 'stream', cap: BODY_CAPS.stream, schema: UploadForm, mediaType: 'multipart/form-data' },
    runs: 'own',
    verb: (ctx, request) => uploadSymbols(parts.uploads, ctx, request),
    answer: (artifact) => ({ status: 201, body: artifactAnswer(artifact) }),
    errors: catchErrors,
    describes: uploadDescribed,
  }),
  route({
    method: 'GET',
    path: '/api/v1/catch/symbols',
    caller: bearerToken,
    least: 'viewer',
    runs: 'read',
    verb: (ctx, { headers, query }) => {
      const limit = query.get('limit');
      const wanted = limit === null || limit.trim() === '' ? Number.NaN : Number(limit);
      // A file may have no release, so an empty one is a filter.
      const release = query.get('release');
      const [environment, kind] = ['environment', 'kind'].map((name) => query.get(name) || null);
      const filter = { projectId: namedProject(headers, query), environment, kind, release };
      return parts.artifacts.newest(ctx, filter, Number.isNaN(wanted) ? null : wanted);
    },
    answer: (artifacts) => ({ status: 200, body: artifactsAnswer(artifacts) }),
    errors: catchErrors,
    describes: listSymbols,
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/catch/symbols/:id',
    caller: bearerToken,
    least: 'editor',
    runs: 'write',
    verb: (ctx, { params }) => parts.artifacts.deleteIfThere(ctx, params.id),
    answer: () => ({ status: 200, body: { deleted: true } }),
    errors: catchErrors,
    describes: deleteSymbols,
  }),
  route({
    method: 'POST',
    path: '/api/catch/events',
    aliases: ['/api/v1/catch/events'],
    caller: beaconKey,
    scope: 'ingest',
    body: { reads: 'stream', cap: BODY_CAPS.crashes, schema: CrashBody },
    runs: 'own',
    verb: (ctx, request) => sendCrashEvents(parts.crashes, ctx, request),
    answer: (ingested) => ({ status: 200, body: crashesAnswer(ingested) }),
    // A body that can't be decompressed gets the same error as one that isn't JSON.
    errors: { ...catchErrors, invalid_body: catchErrors.invalid_events },
    describes: sendCrashes,
  }),
  route({
    method: 'POST',
    path: '/api/catch/profiles',
    aliases: ['/api/v1/catch/profiles'],
    caller: projectKey,
    scope: 'ingest',
    body: { reads: 'stream', cap: BODY_CAPS.profile, schema: ProfileBody },
    runs: 'own',
    verb: (ctx, request) => uploadProfile(parts.crashes, ctx, request),
    answer: (id) => ({ status: 202, body: { accepted: 1, profile_id: id } }),
    errors: { ...catchErrors, invalid_body: catchErrors.invalid_profile },
    describes: profileDescribed,
  }),
  route({
    method: 'GET',
    path: `${OBJECT_LINKS_PATH}/:object`,
    caller: anybody,
    runs: 'own',
    verb: (ctx, request) => openDownload(parts.objects, parts.linkSecrets, ctx.now(), request),
    answer: downloadAnswer,
    errors: catchErrors,
    describes: downloadObject,
  }),
];
