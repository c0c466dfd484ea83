import { GraphQLBigInt } from 'graphql-scalars';
import { Field, Int, ObjectType } from 'type-graphql';
import { RedactedBelowEditor } from '../../../kernel/values/email-redaction.js';

@ObjectType({ description: 'How often a property had a value.' })
export class EventBreakdownValue {
  projectId!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'Text as is, other values as JSON, truncated to 200 characters; null if the property is absent or null.',
  })
  @RedactedBelowEditor()
  value!: string | null;

  @Field(() => Int)
  count!: number;

  @Field(() => [Int], { description: 'Per interval, in the order of `intervals` of the breakdown.' })
  counts!: number[];
}

@ObjectType({ description: 'The most recently received events of a name, by the values of one property.' })
export class EventBreakdown {
  @Field(() => [Date], { description: 'Start of each interval, oldest first.' })
  intervals!: Date[];

  @Field(() => [EventBreakdownValue], { description: 'The 20 most frequent values.' })
  values!: EventBreakdownValue[];

  @Field(() => Int, { description: 'Events with other values.' })
  others!: number;

  @Field(() => Int, {
    description:
      'Events read: at most 10,000, and 16 MiB of stored properties. Events with more than 64 KiB of properties are left out.',
  })
  read!: number;

  @Field(() => Boolean, { description: 'Whether these are all events of the requested time.' })
  isWhole!: boolean;

  @Field(() => Date, { nullable: true, description: 'When the oldest event read was received.' })
  since!: Date | null;

  @Field(() => GraphQLBigInt, { description: 'Number of values not in the list.' })
  otherValues!: number;
}
