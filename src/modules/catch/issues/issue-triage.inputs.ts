import { ArrayMaxSize, ArrayNotEmpty } from 'class-validator';
import { Field, ID, InputType, Int } from 'type-graphql';
import { IdInput } from '../../access/ids.inputs.js';

const MOST_MERGED = 100;

@InputType()
export class IgnoreCrashIssueInput extends IdInput {
  @Field(() => Date, { nullable: true, description: 'The first event after this time reopens it.' })
  until?: Date | null;

  @Field(() => Int, { nullable: true, description: 'This many more events reopen it, 1 to 1000000.' })
  events?: number | null;
}

@InputType()
export class AssignCrashIssueInput extends IdInput {
  @Field(() => ID, { nullable: true, description: 'A member of the organization; leave out to unassign.' })
  userId?: string | null;
}

@InputType()
export class MergeCrashIssuesInput {
  @Field(() => ID, { description: 'The issue to keep.' })
  intoId!: string;

  @Field(() => [ID], { description: 'Issues of the same project and environment to merge into it.' })
  @ArrayNotEmpty()
  @ArrayMaxSize(MOST_MERGED)
  ids!: string[];
}
