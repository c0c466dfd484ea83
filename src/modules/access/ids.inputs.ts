import { ArrayMaxSize, ArrayMinSize } from 'class-validator';
import { ArgsType, Field, ID, InputType } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { EnvironmentType } from './environment.js';

@ArgsType()
@InputType()
export class ProjectInput {
  @Field(() => ID)
  projectId!: string;
}

@ArgsType()
@InputType()
export class EnvironmentInput extends ProjectInput {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;
}

@InputType()
export class IdInput {
  @Field(() => ID)
  id!: string;
}

@InputType()
export class IdsInput {
  @Field(() => [ID], { description: '1 to 100 ids.' })
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  ids!: string[];
}
