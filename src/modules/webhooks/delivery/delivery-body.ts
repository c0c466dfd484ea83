import { redactEmailsIn } from '../../../kernel/values/email-redaction.js';
import type { DeliveredEvent } from './claimed-delivery.js';

/**
 * The body of a delivery (docs/events.md): `type, timestamp, data, id, organization_id, project_id, environment`, then the subject of the
 * event and its `sequence`, which increases from one event of an object to the next. It has the same bytes for every attempt and every
 * replay. Email addresses in the data are redacted: receivers aren't Editors.
 */
export function deliveryBody({ kind, event }: { kind: string; event: DeliveredEvent }): string {
  const frame = JSON.stringify({
    type: kind,
    timestamp: event.createdAt.toISOString(),
    data: 0,
    id: event.id,
    organization_id: event.organizationId,
    project_id: event.projectId,
    environment: event.environment,
    object: { type: event.objectType, id: event.objectId },
    sequence: Number(event.sequence),
  });
  const data = /@|%40/.test(event.data) ? JSON.stringify(redactEmailsIn(JSON.parse(event.data))) : event.data;
  return frame.replace('"data":0', () => `"data":${data}`);
}
