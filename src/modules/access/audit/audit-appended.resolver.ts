import { ArgsType, Field, ID, Resolver } from 'type-graphql';
import { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Context } from '../../../kernel/context.js';
import { EventSubscription } from '../graph/event-subscription.js';
import type { AuditService } from './audit.service.js';

@ArgsType()
class AuditAppendedArgs {
  @Field(() => ID, { nullable: true, description: 'Defaults to the whole organization.' })
  projectId?: string | null;
}

@Resolver()
export class AuditAppendedResolver {
  constructor(private readonly audit: AuditService) {}

  @EventSubscription(() => StoredEvent, {
    kinds: /./,
    action: 'audit.view',
    description: 'An entry was added to the audit log.',
    args: AuditAppendedArgs,
  })
  auditAppended(event: StoredEvent, ctx: Context): Promise<StoredEvent> {
    return this.audit.get(ctx, event.id);
  }
}
