import { Field, Float, ObjectType } from 'type-graphql';

@ObjectType({ description: 'How often something happened in an hour, day, week or month of UTC.' })
export class EventCount {
  @Field(() => Date, { description: 'Where the interval begins.' })
  at!: Date;

  @Field(() => Float)
  count!: number;
}

@ObjectType({ description: 'Events counted over time.' })
export class EventCounts {
  @Field(() => [EventCount], { description: 'Oldest first, those without events included.' })
  intervals!: EventCount[];

  @Field(() => Float)
  total!: number;

  @Field(() => Date, {
    description:
      'Every event that was accepted before this instant is counted: now, or with an analytics store at most a minute ago.',
  })
  asOf!: Date;
}
