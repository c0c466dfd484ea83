import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import type { FlagHaltService } from '../../src/modules/switch/halting/flag-halt.service.js';
import type { HaltWebhook } from '../../src/modules/switch/halting/halt-webhook.js';
import { judged, shapedIfAny } from '../body-shapes.js';
import { bearerToken, projectKey } from '../callers.js';
import { type Route, route } from '../route.js';
import { flagAnswer, haltBody } from './bodies.js';
import { haltFlag, resumeFlag } from './descriptions.js';
import { switchErrors } from './errors.js';
import { HaltBody, ResumeBody } from './schemas.js';

/** docs/rest.md, Flags, and resuming. */
export const switchRoutes = (webhook: HaltWebhook, halts: FlagHaltService): Route[] => [
  route({
    method: 'POST',
    path: '/api/switch/halt-webhook',
    aliases: ['/api/v1/switch/halt-webhook'],
    caller: projectKey,
    scope: 'halt',
    body: judged(HaltBody, BODY_CAPS.command, haltBody),
    runs: 'own',
    verb: (ctx, { key, body }) => webhook.halt(ctx, key, body),
    answer: (flag) => ({ status: 200, body: flagAnswer(flag) }),
    errors: switchErrors,
    fast: true,
    describes: haltFlag,
  }),
  route({
    method: 'POST',
    path: '/api/v1/switch/flags/:id/resume',
    aliases: ['/api/switch/flags/:id/resume'],
    caller: bearerToken,
    least: 'editor',
    body: shapedIfAny(ResumeBody, BODY_CAPS.command),
    runs: 'write',
    verb: (ctx, { params, body }) => halts.resume(ctx, { flagId: params.id ?? '', note: body?.note ?? null }),
    answer: (flag) => ({ status: 200, body: flagAnswer(flag) }),
    errors: switchErrors,
    describes: resumeFlag,
  }),
];
