import { Field, ObjectType, Resolver } from 'type-graphql';
import type { StoredEvent } from '../../events/stored-event.entity.js';
import type { Context } from '../../kernel/context.js';
import { ChangeFields, changeOf, EventSubscription } from '../access/graph/event-subscription.js';
import { Flag } from './flags/flag.entity.js';
import type { FlagService } from './flags/flag.service.js';

@ObjectType({ description: 'A flag was created, changed, halted, resumed, archived or unarchived.' })
export class FlagChange extends ChangeFields {
  @Field(() => Flag, { nullable: true, description: 'As it is now.' })
  flag!: Flag;
}

@Resolver()
export class FlagChangesResolver {
  constructor(private readonly flags: FlagService) {}

  @EventSubscription(() => FlagChange, {
    kinds: /^switch\.flag\./,
    action: 'switch.flag.view',
    description: 'A flag was created, changed, halted, resumed, archived or unarchived.',
  })
  async flagChanged(event: StoredEvent, ctx: Context): Promise<FlagChange> {
    return { ...changeOf(event), flag: await this.flags.get(ctx, event.objectId) };
  }
}
