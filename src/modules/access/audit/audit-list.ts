import { ArgsType, Field, ID } from 'type-graphql';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import { ExactTextFilter, IdFilter, InstantFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { EnvironmentFilter } from '../environment.js';
import { GraphNode } from '../graph/node.js';

GraphNode<StoredEvent>({ view: 'audit.view', organizationOf: ({ organizationId }) => organizationId })(StoredEvent);

export const AUDIT_LOG = listOf(StoredEvent, {
  name: 'AuditEntry',
  owner: 'organizationId',
  orders: { sequence: ['sequence'] },
  usualOrder: { field: 'sequence', direction: 'desc' },
  filters: {
    kind: ExactTextFilter,
    objectType: ExactTextFilter,
    objectId: IdFilter,
    actorId: IdFilter,
    actorTokenId: IdFilter,
    environment: EnvironmentFilter,
    createdAt: InstantFilter,
  },
  mostCounted: 10_000,
});

export const PROJECT_AUDIT_LOG: typeof AUDIT_LOG = { ...AUDIT_LOG, owner: 'projectId' };

@ArgsType()
export class AuditListArgs extends listArgs(AUDIT_LOG) {}

@ArgsType()
export class AuditLogArgs extends AuditListArgs {
  @Field(() => ID, { nullable: true, description: 'Only changes in this project.' })
  projectId?: string | null;

  @Field(() => String, { nullable: true, deprecationReason: 'Use filter: { kind: { eq } }.' })
  kind?: string | null;

  @Field(() => String, { nullable: true, deprecationReason: 'Use filter: { objectId: { eq } }.' })
  objectId?: string | null;

  @Field(() => String, { nullable: true, deprecationReason: 'Use filter: { actorId: { eq } }.' })
  actorId?: string | null;

  @Field(() => Date, { nullable: true, deprecationReason: 'Use filter: { createdAt: { from } }.' })
  since?: Date | null;

  @Field(() => Date, { nullable: true, description: 'Before this instant.' })
  until?: Date | null;
}

export const AuditEntryConnection = connectionOf(StoredEvent, 'AuditEntry');
