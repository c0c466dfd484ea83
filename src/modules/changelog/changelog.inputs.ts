import { IsOptional, MaxLength } from 'class-validator';
import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { Deletion } from '../../kernel/node.js';
import { IsName } from '../../kernel/values/is-name.js';

const MAX_TITLE = 500;
const MAX_BODY = 100_000;

@InputType()
export class CreateChangelogEntryInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => String)
  @IsName(MAX_TITLE)
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
  @IsName(MAX_TITLE)
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Markdown.' })
  @IsOptional()
  @MaxLength(MAX_BODY)
  body?: string | null;
}

@ObjectType({ implements: Deletion })
export class DeletedChangelogEntry extends Deletion {}
