import { GraphQLBigInt } from 'graphql-scalars';
import { Field, Float, ObjectType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';

@ObjectType({ description: 'Sessions that began within a day of UTC.' })
export class CrashFreeDay {
  @Field(() => Date, { description: 'Where the day begins.' })
  at!: Date;

  @Field(() => GraphQLBigInt)
  sessions!: number;

  @Field(() => GraphQLBigInt, { description: 'Those that had a fatal crash event, whenever it came.' })
  crashed!: number;
}

@ObjectType({ description: 'Sessions that began with a release.' })
export class CrashFreeRelease {
  projectId!: string;

  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Null where clients did not say.' })
  release!: string | null;

  @Field(() => GraphQLBigInt)
  sessions!: number;

  @Field(() => GraphQLBigInt)
  crashed!: number;

  @Field(() => Float, { nullable: true, description: 'From 0 to 1; null without sessions.' })
  crashFree!: number | null;
}

@ObjectType({
  description: 'Sessions that clients reported by `session_start` events, and how many of them crashed.',
})
export class CrashFreeSessions {
  @Field(() => GraphQLBigInt, { description: '0 where no client reports sessions.' })
  sessions!: number;

  @Field(() => GraphQLBigInt)
  crashed!: number;

  @Field(() => Float, { nullable: true, description: 'From 0 to 1; null without sessions.' })
  crashFree!: number | null;

  @Field(() => [CrashFreeDay], { description: 'Oldest first, those without sessions included.' })
  days!: CrashFreeDay[];

  @Field(() => [CrashFreeRelease], { description: 'The 100 with the most sessions.' })
  releases!: CrashFreeRelease[];
}
