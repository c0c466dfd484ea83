import { MaxLength } from 'class-validator';
import { ArgsType, Field, ID, InputType, ObjectType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { Deletion } from '../../kernel/node.js';
import { EnvironmentType } from '../access/environment.js';
import { ReleaseListArgs } from './release-lists.js';

const MAX_NOTES = 100_000;
const MAX_COMMIT = 200;

@ArgsType()
export class ReleasesArgs extends ReleaseListArgs {
  @Field(() => ID)
  projectId!: string;
}

@InputType({ description: 'Absent fields stay unchanged.' })
export class UpdateReleaseInput {
  @Field(() => ID)
  id!: string;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_NOTES)
  notes?: string | null;

  @Field(() => String, { nullable: true, description: 'Null removes it.' })
  @MaxLength(MAX_COMMIT)
  commitSha?: string | null;
}

@InputType()
export class CreateReleaseInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => String)
  version!: string;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_NOTES)
  notes?: string | null;

  @Field(() => String, { nullable: true })
  @MaxLength(MAX_COMMIT)
  commitSha?: string | null;
}

@ObjectType({ implements: Deletion })
export class DeletedRelease extends Deletion {}
