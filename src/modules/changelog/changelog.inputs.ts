import { IsOptional, Length, Matches, MaxLength } from 'class-validator';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { Deletion } from '../../kernel/node.js';

const MAX_TITLE = 500;
const MAX_BODY = 100_000;
const NOT_BLANK = [/\S/, { message: 'title must not be blanks alone' }] as const;

@InputType()
export class CreateChangelogEntryInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => String)
  @Length(1, MAX_TITLE)
  @Matches(...NOT_BLANK)
  title!: string;

  @Field(() => String, { nullable: true, description: 'Markdown.' })
  @MaxLength(MAX_BODY)
  body?: string | null;
}

@InputType({ description: 'What is absent stays.' })
export class UpdateChangelogEntryInput {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true })
  @IsOptional()
  @Length(1, MAX_TITLE)
  @Matches(...NOT_BLANK)
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Markdown.' })
  @IsOptional()
  @MaxLength(MAX_BODY)
  body?: string | null;
}

@ObjectType({ implements: Deletion })
export class DeletedChangelogEntry extends Deletion {}
