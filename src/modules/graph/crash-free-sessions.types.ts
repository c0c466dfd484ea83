import { GraphQLBigInt } from 'graphql-scalars';
import { Field, Float, ObjectType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';

@ObjectType({ description: 'Sessions that started on a UTC day.' })
export class CrashFreeDay {
  @Field(() => Date, { description: 'Start of the day.' })
  at!: Date;

  @Field(() => GraphQLBigInt)
  sessions!: number;

  @Field(() => GraphQLBigInt, { description: 'Sessions that had a fatal crash event, at any later time.' })
  crashed!: number;
}

@ObjectType({ description: 'Sessions of a release.' })
export class CrashFreeRelease {
  projectId!: string;

  environment!: Environment;

  @Field(() => String, { nullable: true, description: 'Null if clients did not report one.' })
  release!: string | null;

  @Field(() => GraphQLBigInt)
  sessions!: number;

  @Field(() => GraphQLBigInt)
  crashed!: number;

  @Field(() => Float, { nullable: true, description: 'From 0 to 1; null without sessions.' })
  crashFree!: number | null;
}

@ObjectType({
  description: 'Sessions reported by clients with `session_start` events, and how many of them crashed.',
})
export class CrashFreeSessions {
  @Field(() => GraphQLBigInt, { description: '0 if no client reports sessions.' })
  sessions!: number;

  @Field(() => GraphQLBigInt)
  crashed!: number;

  @Field(() => Float, { nullable: true, description: 'From 0 to 1; null without sessions.' })
  crashFree!: number | null;

  @Field(() => [CrashFreeDay], { description: 'Oldest first, including days without sessions.' })
  days!: CrashFreeDay[];

  @Field(() => [CrashFreeRelease], { description: 'The 100 releases with the most sessions.' })
  releases!: CrashFreeRelease[];
}
