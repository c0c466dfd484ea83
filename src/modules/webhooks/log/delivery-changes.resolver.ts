import { Field, ObjectType, Resolver } from 'type-graphql';
import type { PacedRow } from '../../../events/paced-rows.js';
import type { Context } from '../../../kernel/context.js';
import { RowSubscription, SampledFields } from '../../access/graph/event-subscription.js';
import { authorize } from '../../access/guard.js';
import { ProjectInput } from '../../access/ids.inputs.js';
import { WebhookDelivery } from '../webhooks.results.js';

@ObjectType({
  description: 'A delivery was queued, attempted or abandoned. At most twenty per second are reported.',
})
export class WebhookDeliveryChange extends SampledFields {
  @Field(() => WebhookDelivery, { description: 'As it is now.' })
  delivery!: WebhookDelivery;
}

@Resolver()
export class DeliveryChangesResolver {
  @RowSubscription(() => WebhookDeliveryChange, {
    rows: 'deliveries',
    action: 'webhook.view',
    description: 'A delivery was queued, attempted or abandoned. At most twenty per second are reported.',
    args: ProjectInput,
  })
  async webhookDeliveryChanged(
    { row, leftOut }: PacedRow<WebhookDelivery>,
    ctx: Context,
  ): Promise<WebhookDeliveryChange> {
    await authorize(ctx, 'webhook.view', row.projectId);
    return { delivery: row, leftOut };
  }
}
