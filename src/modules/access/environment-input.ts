import { ArgsType, Field, ID, InputType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { EnvironmentType } from './environment.js';

/** Names an environment of a project. */
@ArgsType()
@InputType()
export abstract class EnvironmentInput {
  @Field(() => ID)
  projectId!: string;

  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;
}
