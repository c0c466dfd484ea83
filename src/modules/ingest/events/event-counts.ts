import { GraphQLBigInt } from 'graphql-scalars';
import { Field, Float, ObjectType } from 'type-graphql';

@ObjectType({ description: 'How often something happened per UTC hour, day, week or month.' })
export class EventCount {
  @Field(() => Date, { description: 'Start of the interval.' })
  at!: Date;

  @Field(() => Float, { deprecationReason: 'Use `events`.' })
  @Field(() => GraphQLBigInt, { name: 'events', description: 'Number of events.' })
  count!: number;
}

@ObjectType({ description: 'Events counted over time.' })
export class EventCounts {
  @Field(() => [EventCount], { description: 'Oldest first, including intervals without events.' })
  intervals!: EventCount[];

  @Field(() => Float, { deprecationReason: 'Use `events`.' })
  @Field(() => GraphQLBigInt, { name: 'events', description: 'Number of events in all intervals.' })
  total!: number;

  @Field(() => Date, {
    description:
      'The counts include every event accepted before this instant: now, or at most a minute ago with an analytics store.',
  })
  asOf!: Date;
}
