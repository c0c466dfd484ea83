import { Type } from 'typebox';
import { anybody } from '../callers.js';
import { error } from '../face/error-table.js';
import { oneOf } from '../field-schemas.js';
import { describe } from './description.js';
import type { Operation } from './operation.js';

const Alive = Type.Object({ status: oneOf(['ok']) });
const Ready = Type.Object({
  status: oneOf(['ok', 'degraded']),
  degraded: Type.Array(oneOf(['redis', 'objects', 'disk', 'analytics']), {
    description: 'Parts that are currently unavailable.',
    examples: [[]],
  }),
});

const health = describe({
  id: 'getHealth',
  tag: 'Server',
  summary: 'Check whether the process is alive',
  answers: { 200: { description: 'The process is alive.', schema: Alive } },
});

const readiness = describe({
  id: 'getReadiness',
  tag: 'Server',
  summary: 'Check whether requests can be served',
  answers: {
    200: { description: 'Requests can be served; without Redis or the object store, with limitations.', schema: Ready },
  },
  refusals: { database_unreachable: error(503, 'database_unreachable') },
});

const metrics = describe({
  id: 'getMetrics',
  tag: 'Server',
  summary: 'Get metrics in Prometheus text format',
  details: 'Send the token from the setting METRICS_TOKEN; without that setting, call from the same machine.',
  answers: {
    200: {
      description: 'The metrics.',
      schema: Type.String(),
      mediaType: 'text/plain; version=0.0.4; charset=utf-8',
    },
  },
  refusals: { not_found: error(404, 'not_found') },
});

/** What the server answers before any route. */
export const SERVER_OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: '/healthz', caller: anybody, errors: {}, describes: health },
  { method: 'GET', path: '/readyz', caller: anybody, errors: {}, describes: readiness },
  {
    method: 'GET',
    path: '/metrics',
    caller: { scheme: 'metricsToken', failures: [] },
    errors: {},
    describes: metrics,
  },
];
