import { GraphQLBigInt } from 'graphql-scalars';
import { Field, FieldResolver, Float, ObjectType, Resolver, Root } from 'type-graphql';

@ObjectType({ description: 'How often something happened in an hour, day, week or month of UTC.' })
export class EventCount {
  @Field(() => Date, { description: 'Where the interval begins.' })
  at!: Date;

  @Field(() => Float, { deprecationReason: 'Use `events`.' })
  count!: number;
}

@ObjectType({ description: 'Events counted over time.' })
export class EventCounts {
  @Field(() => [EventCount], { description: 'Oldest first, those without events included.' })
  intervals!: EventCount[];

  @Field(() => Float, { deprecationReason: 'Use `events`.' })
  total!: number;

  @Field(() => Date, {
    description:
      'Every event that was accepted before this instant is counted: now, or with an analytics store at most a minute ago.',
  })
  asOf!: Date;
}

@Resolver(() => EventCount)
export class EventCountFields {
  @FieldResolver(() => GraphQLBigInt, { description: 'How many there were.' })
  events(@Root() { count }: EventCount): number {
    return count;
  }
}

@Resolver(() => EventCounts)
export class EventCountsFields {
  @FieldResolver(() => GraphQLBigInt, { description: 'How many there were in all intervals.' })
  events(@Root() { total }: EventCounts): number {
    return total;
  }
}
