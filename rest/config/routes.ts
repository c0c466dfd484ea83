import type { ConfigVersionService } from '../../src/modules/config/config-version.service.js';
import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import { bearerToken } from '../callers.js';
import { type Route, route } from '../route.js';
import { rollbackAnswer, rollbackBody, versionsAnswer } from './bodies.js';
import { listVersions, rollBack } from './descriptions.js';
import { configErrors } from './errors.js';

export const configRoutes = (versions: ConfigVersionService): Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/config/items/:id/versions',
    caller: bearerToken,
    body: null,
    runs: 'read',
    verb: (ctx, { params }) => versions.list(ctx, params.id),
    answer: (found) => ({ status: 200, body: versionsAnswer(found) }),
    errors: configErrors,
    describes: listVersions,
  }),
  route({
    method: 'POST',
    path: '/api/v1/config/items/:id/rollback',
    caller: bearerToken,
    body: { reads: 'json', cap: BODY_CAPS.command },
    runs: 'write',
    verb: (ctx, { params, body }) => versions.rollback(ctx, { itemId: params.id, ...rollbackBody(body) }),
    answer: (done) => ({ status: 200, body: rollbackAnswer(done) }),
    errors: configErrors,
    describes: rollBack,
  }),
];
