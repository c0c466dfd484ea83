import { EVENT_KINDS } from '../../../events/catalog.js';
import type { Context } from '../../../kernel/context.js';
import { userOf } from '../../access/guard.js';
import type { EventKindDescription } from '../webhooks.results.js';

/** Every kind of the catalog with the JSON Schema (draft 2020-12) of the body that receivers get. */
export function describeEventKinds(): EventKindDescription[] {
  return Object.entries(EVENT_KINDS).map(([kind, { description, data }]) => ({
    kind,
    description,
    schema: bodySchema(kind, data),
  }));
}

/** {@link describeEventKinds} for signed-in callers. */
export function eventKinds(ctx: Context): EventKindDescription[] {
  userOf(ctx);
  return describeEventKinds();
}

function bodySchema(kind: string, data: object): object {
  const text = { type: 'string' };
  const textOrNull = { type: ['string', 'null'] };
  return {
    type: 'object',
    required: ['type', 'timestamp', 'data', 'id', 'organization_id', 'project_id', 'environment', 'object', 'sequence'],
    properties: {
      type: { const: kind },
      timestamp: { type: 'string', format: 'date-time' },
      // Copied as JSON: the catalog's schemas carry symbols of the library that made them.
      data: JSON.parse(JSON.stringify(data)) as object,
      id: { type: 'string', pattern: '^evt_' },
      organization_id: { type: 'string', format: 'uuid' },
      project_id: textOrNull,
      environment: { enum: ['live', 'test', null] },
      object: { type: 'object', required: ['type', 'id'], properties: { type: text, id: text } },
      sequence: {
        type: 'integer',
        description: 'Increases from one event of an object to the next; gaps are possible.',
      },
    },
  };
}
