import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { enumType } from '../../../kernel/values/enum-type.js';
import { STALE_REASONS, type Staleness as StalenessFacts, type StaleReason } from './staleness.js';
import { type UsageInterval, UsageIntervalType } from './usage-time.js';

const StaleReasonType = enumType('StaleReason', STALE_REASONS);

@ObjectType()
export class OutcomeCountFields {
  @Field(() => GraphQLBigInt)
  total!: number;

  @Field(() => [GraphQLBigInt], { description: 'Per interval, oldest first.' })
  counts!: readonly number[];
}

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
