import { GraphQLBigInt } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';

@ObjectType({ description: 'How often a property had a value.' })
export class EventBreakdownValue {
  projectId!: string;

  @Field(() => String, {
    nullable: true,
    description: 'A text as it is, else its JSON, cut after 200 characters; null where the property is absent or null.',
  })
  @RedactedBelowEditor()
  value!: string | null;

  @Field(() => Int)
  count!: number;

  @Field(() => [Int], { description: 'By interval, as `intervals` of the breakdown.' })
  counts!: number[];
}

@ObjectType({ description: 'Events of a name by the values of one property, the newest that were received.' })
export class EventBreakdown {
  @Field(() => [Date], { description: 'Where the intervals begin, oldest first.' })
  intervals!: Date[];

  @Field(() => [EventBreakdownValue], { description: 'The 20 most frequent ones.' })
  values!: EventBreakdownValue[];

  @Field(() => Int, { description: 'Events that have other values.' })
  others!: number;

  @Field(() => Int, {
    description:
      'Events that were read, at most 10,000 and 16 MiB of stored properties; those with more than 64 KiB of them are left out.',
  })
  read!: number;

  @Field(() => Boolean, { description: 'Whether these are all of the time asked for.' })
  isWhole!: boolean;

  @Field(() => Date, { nullable: true, description: 'When the oldest event that was read was received.' })
  since!: Date | null;

  @Field(() => GraphQLBigInt, { description: 'Other values than those in the list.' })
  otherValues!: number;
}
