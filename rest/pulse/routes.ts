import { Readable } from 'node:stream';
import { isEnvironment } from '../../src/kernel/actor.js';
import { pulseFailure } from '../../src/modules/pulse/pulse.errors.js';
import type { BundleService } from '../../src/modules/pulse/responses/bundle.service.js';
import type { ExportService } from '../../src/modules/pulse/responses/export.service.js';
import { EXPORT_LINKS_PATH } from '../../src/modules/pulse/responses/export-links.js';
import type { PartialService } from '../../src/modules/pulse/responses/partial.service.js';
import { EXPORT_MEDIA_TYPES, type ExportFormat } from '../../src/modules/pulse/responses/response-export.js';
import type { SubmissionService } from '../../src/modules/pulse/responses/submission.service.js';
import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import { shaped } from '../body-shapes.js';
import { anybody, beaconKey, bearerToken, projectKey } from '../callers.js';
import { taggedAnswer } from '../face/etag.js';
import type { Answer } from '../face/send.js';
import { type Route, route } from '../route.js';
import {
  externalIdOf,
  partialAnswer,
  partialOf,
  partialQuery,
  refuseShape,
  savedPartialAnswer,
  submissionOf,
  submittedAnswer,
} from './bodies.js';
import {
  CACHED,
  deletePartial,
  downloadExport,
  exportResponses,
  getPartial,
  getSurvey,
  listSurveys,
  PERSONAL,
  savePartial,
  submitResponse,
} from './descriptions.js';
import { pulseErrors } from './errors.js';
import { PartialBody, ResponseBody } from './schemas.js';
import { surveyBundle, surveyList } from './survey-json.js';

const PERSONAL_HEADERS = { 'cache-control': PERSONAL };
/** A response cached for one key must not be used for another. */
const BY_KEY = { vary: 'x-api-key' };

export interface PulseServices {
  readonly surveyBundles: BundleService;
  readonly submissions: SubmissionService;
  readonly surveyPartials: PartialService;
  readonly responseExports: ExportService;
}

export const pulseRoutes = (services: PulseServices): Route[] => [
  route({
    method: 'GET',
    path: '/api/pulse/surveys',
    aliases: ['/api/v1/pulse/surveys'],
    caller: projectKey,
    scope: 'survey',
    runs: 'own',
    verb: (ctx) => services.surveyBundles.list(ctx),
    answer: (catalogue, request) => taggedAnswer(surveyList(catalogue), CACHED, request, BY_KEY),
    errors: pulseErrors,
    fast: true,
    describes: listSurveys,
  }),
  route({
    method: 'GET',
    path: '/api/pulse/surveys/:survey_id',
    aliases: ['/api/v1/pulse/surveys/:survey_id'],
    caller: projectKey,
    scope: 'survey',
    runs: 'own',
    verb: (ctx, { params, query }) => services.surveyBundles.get(ctx, params.survey_id ?? '', externalIdOf(query)),
    answer: ({ catalogue, survey, partial }, request) =>
      taggedAnswer(
        surveyBundle(catalogue, survey, partial),
        externalIdOf(request.query) === null ? CACHED : PERSONAL,
        request,
        BY_KEY,
      ),
    errors: pulseErrors,
    fast: true,
    describes: getSurvey,
  }),
  route({
    method: 'POST',
    path: '/api/pulse/responses',
    aliases: ['/api/v1/pulse/responses'],
    caller: beaconKey,
    scope: 'survey',
    body: shaped(ResponseBody, BODY_CAPS.response, refuseShape),
    runs: 'own',
    verb: (ctx, { body }) => services.submissions.submit(ctx, submissionOf(body)),
    answer: (submitted) => ({ status: 201, body: submittedAnswer(submitted) }),
    errors: pulseErrors,
    fast: true,
    describes: submitResponse,
  }),
  ...partialRoutes(services.surveyPartials),
  exportRoute(services.responseExports, 'csv'),
  exportRoute(services.responseExports, 'ndjson'),
  linkedExportRoute(services.responseExports, 'csv'),
  linkedExportRoute(services.responseExports, 'ndjson'),
];

function partialRoutes(partials: PartialService): Route[] {
  const shared = {
    path: '/api/pulse/partial',
    aliases: ['/api/v1/pulse/partial'],
    caller: projectKey,
    scope: 'survey',
    runs: 'own',
    errors: pulseErrors,
  } as const;
  return [
    route({
      ...shared,
      method: 'POST',
      body: shaped(PartialBody, BODY_CAPS.response, refuseShape),
      verb: (ctx, { body }) => partials.save(ctx, partialOf(body)),
      answer: (saved) => ({ status: 200, body: savedPartialAnswer(saved), headers: PERSONAL_HEADERS }),
      describes: savePartial,
    }),
    route({
      ...shared,
      method: 'GET',
      verb: (ctx, { query }) => partials.get(ctx, partialQuery(query)),
      answer: (partial) => ({ status: 200, body: partialAnswer(partial), headers: PERSONAL_HEADERS }),
      describes: getPartial,
    }),
    route({
      ...shared,
      method: 'DELETE',
      verb: (ctx, { query }) => partials.delete(ctx, partialQuery(query)),
      answer: () => ({ status: 200, body: { deleted: true }, headers: PERSONAL_HEADERS }),
      describes: deletePartial,
    }),
  ];
}

/** All responses of a survey in one environment, as a stream; email addresses are redacted below Editor. */
function exportRoute(exports: ExportService, format: ExportFormat): Route {
  return route({
    method: 'GET',
    path: `/api/v1/pulse/surveys/:id/responses.${format}`,
    caller: bearerToken,
    least: 'viewer',
    runs: 'read',
    verb: async (ctx, { params, query }) => {
      const environment = query.get('environment') ?? 'live';
      if (!isEnvironment(environment)) throw pulseFailure('invalid_environment');
      return exports.export(ctx, params.id ?? '', format, environment);
    },
    answer: (chunks) => exportAnswer(format, chunks),
    errors: pulseErrors,
    describes: exportResponses(format),
  });
}

/** The same, for anyone with a link from the last five minutes. */
function linkedExportRoute(exports: ExportService, format: ExportFormat): Route {
  return route({
    method: 'GET',
    path: `${EXPORT_LINKS_PATH}/${format}/:export`,
    caller: anybody,
    runs: 'read',
    verb: (ctx, { params, query }) => exports.linked(ctx, format, params.export ?? '', query),
    answer: (chunks) => exportAnswer(format, chunks),
    errors: pulseErrors,
    describes: downloadExport(format),
  });
}

function exportAnswer(format: ExportFormat, chunks: AsyncIterable<string>): Answer {
  return {
    status: 200,
    body: Readable.from(chunks, { objectMode: false }),
    headers: {
      'content-type': EXPORT_MEDIA_TYPES[format],
      'content-disposition': `attachment; filename="responses.${format}"`,
      ...PERSONAL_HEADERS,
    },
  };
}
