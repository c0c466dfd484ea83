import { Length, MaxLength } from 'class-validator';
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import { PageArgs } from '../../kernel/paging.js';
import { type EntryStatus, EntryStatusType } from './changelog-entry.entity.js';

const MAX_TITLE = 500;
const MAX_BODY = 100_000;

@ArgsType()
export class ChangelogEntriesArgs extends PageArgs {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EntryStatusType, { nullable: true })
  status?: EntryStatus | null;
}

@InputType()
export class CreateChangelogEntryInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => String)
  @Length(1, MAX_TITLE)
  title!: string;

  @Field(() => String, { nullable: true, description: 'Markdown.' })
  @MaxLength(MAX_BODY)
  body?: string | null;
}
