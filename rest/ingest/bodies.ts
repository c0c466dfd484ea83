import type { Static } from 'typebox';
import type { OperationReport } from '../../src/modules/ingest/intake/batch-report.js';
import type { BatchAnswer } from '../../src/modules/ingest/intake/ingestion.service.js';
import type { OperationType } from '../../src/modules/ingest/operations/operation-kinds.js';
import type { BatchReport, BatchStored } from './schemas.js';

/** A status and the object to send as JSON. */
export interface IngestAnswer {
  readonly status: number;
  readonly body: object;
}

/** docs/rest.md, Ingestion, and the 202 for a batch without accepted operations. */
export function batchAnswer({ project, counts }: BatchAnswer): IngestAnswer {
  if (!counts) return { status: 202, body: { ok: true, status: 'discarded_all' } };
  const body: Static<typeof BatchStored> = {
    ok: true,
    project_id: project.projectId,
    project_name: project.projectName,
    environment: project.environment,
    operations_received: counts.events + counts.people + counts.aliases,
    events_received: counts.events,
    people_received: counts.people,
    aliases_received: counts.aliases,
    commands: [],
  };
  return { status: 200, body };
}

/** What a batch would do; nothing was stored. */
export function reportAnswer(operations: readonly OperationReport[]): IngestAnswer {
  const body: Static<typeof BatchReport> = {
    ok: operations.every(({ result }) => result !== 'refused'),
    operations: operations.map((report) => ({ ...report })),
  };
  return { status: 200, body };
}

/** Single operations (docs/rest.md, Ingestion): only track returns commands. */
export function singleAnswer(type: OperationType, stored: boolean): IngestAnswer {
  if (!stored) return { status: 202, body: { ok: true, status: 'discarded' } };
  return { status: 200, body: type === 'track' ? { ok: true, commands: [] } : { ok: true } };
}
