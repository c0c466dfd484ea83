import { ArrayMaxSize, ArrayNotEmpty } from 'class-validator';
import { Field, ID, InputType, Int } from 'type-graphql';

const MOST_MERGED = 100;

@InputType()
export class IgnoreCrashIssueInput {
  @Field(() => ID)
  id!: string;

  @Field(() => Date, { nullable: true, description: 'The first event after this time opens it again.' })
  until?: Date | null;

  @Field(() => Int, { nullable: true, description: 'So many more events open it again, 1 to 1000000.' })
  events?: number | null;
}

@InputType()
export class AssignCrashIssueInput {
  @Field(() => ID)
  id!: string;

  @Field(() => ID, { nullable: true, description: 'A member of the organization; nobody when left out.' })
  userId?: string | null;
}

@InputType()
export class MergeCrashIssuesInput {
  @Field(() => ID, { description: 'The issue that goes on.' })
  intoId!: string;

  @Field(() => [ID], { description: 'Issues of the same project and environment that become parts of it.' })
  @ArrayNotEmpty()
  @ArrayMaxSize(MOST_MERGED)
  ids!: string[];
}
