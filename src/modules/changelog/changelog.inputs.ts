import { IsOptional, Length, Matches, MaxLength } from 'class-validator';
import { ArgsType, Field, ID, InputType, ObjectType } from 'type-graphql';
import { Deletion } from '../../kernel/node.js';
import { ChangelogEntryListArgs } from './changelog-lists.js';

const MAX_TITLE = 500;
const MAX_BODY = 100_000;
const NOT_BLANK = [/\S/, { message: 'title must not be only spaces' }] as const;

@ArgsType()
export class ChangelogEntriesArgs extends ChangelogEntryListArgs {
  @Field(() => ID)
  projectId!: string;
}

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

@InputType({ description: 'Absent fields stay unchanged.' })
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
