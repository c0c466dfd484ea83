import type { ConfigVersionService } from '../../src/modules/config/config-version.service.js';
import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import { judged } from '../body-shapes.js';
import { bearerToken } from '../callers.js';
import { type Route, route } from '../route.js';
import { rollbackAnswer, rollbackBody, versionsAnswer } from './bodies.js';
import { listVersions, rollBack } from './descriptions.js';
import { configErrors } from './errors.js';
import { RollbackBody } from './schemas.js';

export const configRoutes = (versions: ConfigVersionService): Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/config/items/:id/versions',
    caller: bearerToken,
    least: 'viewer',
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
    least: 'editor',
    body: judged(RollbackBody, BODY_CAPS.command, rollbackBody),
    runs: 'write',
    verb: (ctx, { params, body }) => versions.rollback(ctx, { itemId: params.id, ...body }),
    answer: (done) => ({ status: 200, body: rollbackAnswer(done) }),
    errors: configErrors,
    describes: rollBack,
  }),
];
