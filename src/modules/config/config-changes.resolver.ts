import { Field, ObjectType, Resolver } from 'type-graphql';
import type { StoredEvent } from '../../events/stored-event.entity.js';
import type { Context } from '../../kernel/context.js';
import { ChangeFields, changeOf, EventSubscription } from '../access/graph/event-subscription.js';
import { ConfigItem } from './config-item.entity.js';
import type { ConfigItemService } from './config-item.service.js';

@ObjectType({ description: 'A config item was created, changed, rolled back, archived or unarchived.' })
export class ConfigItemChange extends ChangeFields {
  @Field(() => ConfigItem, { nullable: true, description: 'As it is now.' })
  item!: ConfigItem;
}

@Resolver()
export class ConfigChangesResolver {
  constructor(private readonly items: ConfigItemService) {}

  @EventSubscription(() => ConfigItemChange, {
    kinds: /^config\.item\./,
    action: 'config.item.view',
    description: 'A config item was created, changed, rolled back, archived or unarchived.',
  })
  async configItemChanged(event: StoredEvent, ctx: Context): Promise<ConfigItemChange> {
    return { ...changeOf(event), item: await this.items.get(ctx, event.objectId) };
  }
}
