import { MaxLength } from 'class-validator';
import { ArgsType, Extensions, Field, ID, InputType } from 'type-graphql';
import { IdInput, ProjectInput } from '../access/ids.inputs.js';
import { WebhookDeliveryListArgs } from './webhook-lists.js';

const MOST_PATTERNS = 100;
const MAX_DESCRIPTION = 1_000;

@ArgsType()
export class WebhookDeliveriesArgs extends WebhookDeliveryListArgs {
  @Field(() => ID)
  projectId!: string;

  @Field(() => ID, { nullable: true, deprecationReason: 'Use `filter: { subscriptionId: { eq } }`.' })
  subscriptionId?: string | null;
}

@InputType()
export class CreateWebhookSubscriptionInput extends ProjectInput {
  @Field(() => String, {
    description: 'http or https, without credentials; private addresses only if the server allows them.',
  })
  url!: string;

  @Field(() => [String], { description: '*, module.*, module.entity.* or kinds of events.' })
  @Extensions({ mostEntries: MOST_PATTERNS })
  patterns!: string[];

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;
}

@InputType()
export class UpdateWebhookSubscriptionInput extends IdInput {
  @Field(() => String, { nullable: true })
  url?: string | null;

  @Field(() => [String], { nullable: true })
  @Extensions({ mostEntries: MOST_PATTERNS })
  patterns?: string[] | null;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_DESCRIPTION)
  description?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Disabling moves waiting deliveries to the dead letters.' })
  enabled?: boolean | null;

  @Field(() => Date, {
    nullable: true,
    description: 'The `updatedAt` that the change is based on; a later one is a conflict.',
  })
  expectedUpdatedAt?: Date | null;
}

@InputType()
export class ReplayDeadLettersInput extends ProjectInput {
  @Field(() => ID, { nullable: true })
  subscriptionId?: string | null;

  @Field(() => String, { nullable: true, description: 'Kind of the event.' })
  kind?: string | null;

  @Field(() => Date, { nullable: true, description: 'Only those abandoned at or after this instant.' })
  since?: Date | null;
}
