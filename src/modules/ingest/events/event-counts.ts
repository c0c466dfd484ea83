import { GraphQLBigInt } from 'graphql-scalars';
import { Field, FieldResolver, Float, ObjectType, Resolver, Root } from 'type-graphql';

@ObjectType({ description: 'How often something happened per UTC hour, day, week or month.' })
export class EventCount {
  @Field(() => Date, { description: 'Start of the interval.' })
  at!: Date;

  @Field(() => Float, { deprecationReason: 'Use `events`.' })
  count!: number;
}

@ObjectType({ description: 'Events counted over time.' })
export class EventCounts {
  @Field(() => [EventCount], { description: 'Oldest first, including intervals without events.' })
  intervals!: EventCount[];

  @Field(() => Float, { deprecationReason: 'Use `events`.' })
  total!: number;

  @Field(() => Date, {
    description:
      'The counts include every event accepted before this instant: now, or at most a minute ago with an analytics store.',
  })
  asOf!: Date;
}

@Resolver(() => EventCount)
export class EventCountFields {
  @FieldResolver(() => GraphQLBigInt, { description: 'Number of events.' })
  events(@Root() { count }: EventCount): number {
    return count;
  }
}

@Resolver(() => EventCounts)
export class EventCountsFields {
  @FieldResolver(() => GraphQLBigInt, { description: 'Number of events in all intervals.' })
  events(@Root() { total }: EventCounts): number {
    return total;
  }
}
