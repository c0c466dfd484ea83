import { MaxLength } from 'class-validator';
import { Field, InputType } from 'type-graphql';
import { EnvironmentInput, IdInput } from '../access/ids.inputs.js';

const MAX_NOTES = 100_000;
const MAX_COMMIT = 200;

@InputType({ description: 'Absent fields stay unchanged.' })
export class UpdateReleaseInput extends IdInput {
  @Field(() => String, { nullable: true })
  @MaxLength(MAX_NOTES)
  notes?: string | null;

  @Field(() => String, { nullable: true, description: 'Null removes it.' })
  @MaxLength(MAX_COMMIT)
  commitSha?: string | null;
}

@InputType()
export class CreateReleaseInput extends EnvironmentInput {
  @Field(() => String)
  version!: string;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_NOTES)
  notes?: string | null;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_COMMIT)
  commitSha?: string | null;
}
