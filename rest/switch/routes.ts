import { BODY_CAPS } from '../../src/modules/quotas/limits.js';
import type { FlagHaltService } from '../../src/modules/switch/halting/flag-halt.service.js';
import type { HaltWebhook } from '../../src/modules/switch/halting/halt-webhook.js';
import { bearerToken, projectKey } from '../callers.js';
import { type Route, route } from '../route.js';
import { flagAnswer, haltBody, resumeNote } from './bodies.js';
import { haltFlag, resumeFlag } from './descriptions.js';
import { switchErrors } from './errors.js';
import { HALT_PATHS } from './paths.js';

/** docs/rest.md, Flags, and resuming. */
export const switchRoutes = (webhook: HaltWebhook, halts: FlagHaltService): Route[] => [
  route({
    method: 'POST',
    path: HALT_PATHS[0],
    aliases: [HALT_PATHS[1]],
    caller: projectKey,
    body: { reads: 'json', cap: BODY_CAPS.command },
    runs: 'own',
    verb: (ctx, { key, body }) => webhook.halt(ctx, key, () => haltBody(body)),
    answer: (flag) => ({ status: 200, body: flagAnswer(flag) }),
    errors: switchErrors,
    describes: haltFlag,
  }),
  route({
    method: 'POST',
    path: '/api/v1/switch/flags/:id/resume',
    aliases: ['/api/switch/flags/:id/resume'],
    caller: bearerToken,
    body: { reads: 'json', cap: BODY_CAPS.command },
    runs: 'write',
    verb: (ctx, { params, body }) => halts.resume(ctx, { flagId: params.id ?? '', note: resumeNote(body) }),
    answer: (flag) => ({ status: 200, body: flagAnswer(flag) }),
    errors: switchErrors,
    describes: resumeFlag,
  }),
];
