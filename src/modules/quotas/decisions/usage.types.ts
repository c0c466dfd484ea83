import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { STALE_REASONS, type Staleness as StalenessFacts, type StaleReason } from './staleness.js';
import { type UsageInterval, UsageIntervalType } from './usage-time.js';

const StaleReasonType = Object.fromEntries(STALE_REASONS.map((reason) => [reason, reason])) as {
  [R in StaleReason]: R;
};
registerEnumType(StaleReasonType, { name: 'StaleReason' });

/** How often something was served. */
@ObjectType()
export class ToldFields {
  @Field(() => GraphQLBigInt)
  total!: number;

  @Field(() => [GraphQLBigInt], { description: 'Per interval, oldest first.' })
  counts!: readonly number[];
}

/** The time range of counts. */
@ObjectType()
export class UsageTimeFields {
  @Field(() => Date, { description: 'Start of the first interval.' })
  from!: Date;

  @Field(() => Date, { description: 'End of the last interval.' })
  to!: Date;

  @Field(() => UsageIntervalType)
  interval!: UsageInterval;

  @Field(() => GraphQLBigInt)
  total!: number;
}

@ObjectType({ description: 'Why something looks removable.' })
export class Staleness implements StalenessFacts {
  @Field(() => StaleReasonType, {
    description:
      'For 30 days it was halted, or not served at all, or served the same to everyone although there are rules or variants.',
  })
  reason!: StaleReason;

  @Field(() => Date, { description: 'Since when; for `unchanging`, since then at least.' })
  since!: Date;
}
