import { Field, ObjectType, Resolver } from 'type-graphql';
import type { StoredEvent } from '../../../events/stored-event.entity.js';
import type { Context } from '../../../kernel/context.js';
import { ChangeFields, changeOf, EventSubscription } from '../../access/graph/event-subscription.js';
import { SymbolArtifact } from './symbol-artifact.entity.js';
import type { SymbolArtifactService } from './symbol-artifact.service.js';

@ObjectType({ description: 'A symbol file became usable or was deleted.' })
export class SymbolArtifactChange extends ChangeFields {
  @Field(() => SymbolArtifact, { nullable: true, description: 'As it is now; null if it was deleted.' })
  artifact!: SymbolArtifact | null;
}

@Resolver()
export class SymbolChangesResolver {
  constructor(private readonly artifacts: SymbolArtifactService) {}

  @EventSubscription(() => SymbolArtifactChange, {
    kinds: /^catch\.symbol\./,
    action: 'catch.symbol.view',
    description: 'A symbol file became usable or was deleted.',
  })
  async symbolArtifactChanged(event: StoredEvent, ctx: Context): Promise<SymbolArtifactChange> {
    const isGone = event.kind === 'catch.symbol.deleted';
    return { ...changeOf(event), artifact: isGone ? null : await this.artifacts.get(ctx, event.objectId) };
  }
}
