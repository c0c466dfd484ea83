import { Field, ObjectType, Resolver } from 'type-graphql';
import type { PacedRow } from '../../../events/paced-rows.js';
import type { Context } from '../../../kernel/context.js';
import { RowSubscription, SampledFields } from '../../access/graph/event-subscription.js';
import { authorize } from '../../access/guard.js';
import { AnalyticsEvent } from './analytics-event.js';

@ObjectType({ description: 'An event was ingested. At most twenty per second are reported.' })
export class IngestedEvent extends SampledFields {
  @Field(() => AnalyticsEvent)
  event!: AnalyticsEvent;
}

@Resolver()
export class IngestedEventsResolver {
  @RowSubscription(() => IngestedEvent, {
    rows: 'events',
    action: 'event.view',
    description: 'An event was ingested. At most twenty per second are reported.',
  })
  async eventIngested({ row, leftOut }: PacedRow<AnalyticsEvent>, ctx: Context): Promise<IngestedEvent> {
    await authorize(ctx, 'event.view', row.projectId);
    return { event: row, leftOut };
  }
}
