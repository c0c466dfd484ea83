import type { MatrixObjects } from './matrix-objects.js';

/** One REST route: a request that names an object of the world. The route's own row says who may send it. */
export interface RestRow {
  request: (make: MatrixObjects) => Promise<RestMatrixRequest>;
  /** What a caller from another organization gets: 404 by default; `own` if the route works on the caller's own data. */
  foreigner?: number | 'own';
}

export interface RestMatrixRequest {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A route for keys that names no object: another project's key gets the answer of its own project. */
const byKey = (path: string, body?: unknown): RestRow => ({
  request: async () => ({ path, body }),
  foreigner: 'own',
});

/** Every REST route, by method and path. A route without a row fails the tests. */
export const REST_MATRIX: Readonly<Record<string, RestRow>> = {
  'GET /api/v1/config/items/:id/versions': {
    request: async (make) => ({ path: `/api/v1/config/items/${(await make.configItem()).id}/versions` }),
  },
  'POST /api/v1/config/items/:id/rollback': {
    request: async (make) => {
      const { id, versionId } = await make.configItem();
      return { path: `/api/v1/config/items/${id}/rollback`, body: { version_id: versionId } };
    },
  },

  'POST /api/v1/batch': byKey('/api/v1/batch', {
    operations: [{ type: 'track', payload: { event_name: 'opened', distinct_id: 'user-1' } }],
  }),
  'POST /api/v1/track': byKey('/api/v1/track', { event_name: 'opened', distinct_id: 'user-1' }),
  'POST /api/v1/people': byKey('/api/v1/people', { distinct_id: 'user-1', properties: { plan: 'pro' } }),
  'POST /api/v1/alias': byKey('/api/v1/alias', { distinct_id: 'user-1', alias_id: 'user-2' }),

  'POST /api/switch/halt-webhook': {
    request: async (make) => ({
      path: '/api/switch/halt-webhook',
      body: { flag_key: (await make.flag()).key, reason: 'errors' },
    }),
  },
  'POST /api/v1/switch/flags/:id/resume': {
    request: async (make) => ({ path: `/api/v1/switch/flags/${(await make.flag()).id}/resume`, body: {} }),
  },

  'GET /api/v1/switch/definitions': byKey('/api/v1/switch/definitions'),
  'GET /api/v1/handshake': byKey('/api/v1/handshake?distinct_id=user-1'),
  'POST /api/v1/handshake': byKey('/api/v1/handshake', { distinct_id: 'user-1' }),
  'GET /api/v1/switch/decision': byKey('/api/v1/switch/decision?distinct_id=user-1'),
  'GET /api/v1/config/decision': byKey('/api/v1/config/decision?distinct_id=user-1'),
  'GET /api/v1/deploy/decision': byKey('/api/v1/deploy/decision?distinct_id=user-1'),
  'GET /api/v1/catch/decision': byKey('/api/v1/catch/decision?distinct_id=user-1'),
  'GET /api/v1/analytics/decision': byKey('/api/v1/analytics/decision?distinct_id=user-1'),
  'POST /ofrep/v1/evaluate/flags': byKey('/ofrep/v1/evaluate/flags', { context: { targetingKey: 'user-1' } }),
  'POST /ofrep/v1/evaluate/flags/:key': {
    request: async (make) => ({
      path: `/ofrep/v1/evaluate/flags/${(await make.flag()).key}`,
      body: { context: { targetingKey: 'user-1' } },
    }),
  },

  'GET /openfeature/v0/manifest': {
    request: async ({ projectId }) => ({ path: `/openfeature/v0/manifest?project_id=${projectId}` }),
    foreigner: 403,
  },
  'GET /api/v1/stream': byKey('/api/v1/stream'),
  'GET /ofrep/v1/stream': byKey('/ofrep/v1/stream'),
  'GET /api/v1/switch/definitions/stream': byKey('/api/v1/switch/definitions/stream'),
  'POST /api/v1/stream/ticket': byKey('/api/v1/stream/ticket'),

  'GET /api/pulse/surveys': byKey('/api/pulse/surveys'),
  'GET /api/pulse/surveys/:survey_id': {
    request: async (make) => ({ path: `/api/pulse/surveys/${(await make.survey()).id}` }),
  },
  'POST /api/pulse/responses': {
    request: async (make) => ({
      path: '/api/pulse/responses',
      body: { survey_id: (await make.survey()).id, answers: { nps: 9 }, respondent: { external_id: 'respondent-1' } },
    }),
  },
  'POST /api/pulse/partial': {
    request: async (make) => ({
      path: '/api/pulse/partial',
      body: { survey_id: (await make.survey()).id, answers: { nps: 9 }, respondent: { external_id: 'respondent-1' } },
    }),
  },
  'GET /api/pulse/partial': {
    request: async (make) => ({
      path: `/api/pulse/partial?survey_id=${await make.partial()}&external_id=respondent-1`,
    }),
  },
  'DELETE /api/pulse/partial': {
    request: async (make) => ({
      path: `/api/pulse/partial?survey_id=${await make.partial()}&external_id=respondent-1`,
    }),
  },
  'GET /api/v1/pulse/surveys/:id/responses.csv': {
    request: async (make) => ({ path: `/api/v1/pulse/surveys/${(await make.survey()).id}/responses.csv` }),
  },
  'GET /api/v1/pulse/surveys/:id/responses.ndjson': {
    request: async (make) => ({ path: `/api/v1/pulse/surveys/${(await make.survey()).id}/responses.ndjson` }),
  },

  'POST /api/v1/catch/symbols': { request: (make) => make.symbolForm(), foreigner: 403 },
  'GET /api/v1/catch/symbols': {
    request: async ({ projectId }) => ({ path: `/api/v1/catch/symbols?project_id=${projectId}` }),
    foreigner: 403,
  },
  // A foreign id gets the same answer as one already gone, and is left alone: the tenant test checks that.
  'DELETE /api/v1/catch/symbols/:id': {
    request: async (make) => ({ path: `/api/v1/catch/symbols/${await make.artifact()}?project_id=${make.projectId}` }),
    foreigner: 'own',
  },
  'POST /api/v1/catch/symbols/uploads': {
    request: async (make) => ({
      path: `/api/v1/catch/symbols/uploads?project_id=${make.projectId}`,
      body: make.announcedFile(),
    }),
    foreigner: 403,
  },
  'GET /api/v1/catch/symbols/uploads/:id': {
    request: async (make) => ({ path: `/api/v1/catch/symbols/uploads/${await make.symbolUpload()}` }),
  },
  'PUT /api/v1/catch/symbols/uploads/:id/parts/:offset': {
    request: async (make) => make.symbolPart(await make.symbolUpload()),
  },
  'POST /api/v1/catch/symbols/uploads/:id/complete': {
    request: async (make) => {
      const id = await make.symbolUpload();
      await make.sendSymbolPart(id);
      return { path: `/api/v1/catch/symbols/uploads/${id}/complete` };
    },
  },
  'DELETE /api/v1/catch/symbols/uploads/:id': {
    request: async (make) => ({ path: `/api/v1/catch/symbols/uploads/${await make.symbolUpload()}` }),
  },
  'GET /exports/csv/:export': { request: async (make) => ({ path: await make.exportPath('csv') }) },
  'GET /exports/ndjson/:export': { request: async (make) => ({ path: await make.exportPath('ndjson') }) },
  'GET /objects/:object': { request: async (make) => ({ path: await make.downloadPath() }) },
  'POST /api/catch/events': byKey('/api/catch/events', {
    event_id: '0f0e7c5e-9d0c-4a59-8f62-1f3ad3fd3b5a',
    level: 'error',
    platform: 'node',
    message: 'it broke',
  }),
  'GET /openapi.json': { request: async () => ({ path: '/openapi.json' }) },
  'POST /api/catch/profiles': byKey('/api/catch/profiles', { samples: [] }),
};
