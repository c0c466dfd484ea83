import { IsOptional, MaxLength } from 'class-validator';
import { Field, InputType } from 'type-graphql';
import { IsName } from '../../kernel/values/is-name.js';
import { IdInput, ProjectInput } from '../access/ids.inputs.js';

const MAX_TITLE = 500;
const MAX_BODY = 100_000;

@InputType()
export class CreateChangelogEntryInput extends ProjectInput {
  @Field(() => String)
  @IsName(MAX_TITLE)
  title!: string;

  @Field(() => String, { nullable: true, description: 'Markdown.' })
  @MaxLength(MAX_BODY)
  body?: string | null;
}

@InputType({ description: 'Absent fields stay unchanged.' })
export class UpdateChangelogEntryInput extends IdInput {
  @Field(() => String, { nullable: true })
  @IsName(MAX_TITLE)
  title?: string | null;

  @Field(() => String, { nullable: true, description: 'Markdown.' })
  @IsOptional()
  @MaxLength(MAX_BODY)
  body?: string | null;
}
