import { ArrayNotEmpty, IsEmail, Length, Max, Min } from 'class-validator';
import { Field, ID, InputType, Int } from 'type-graphql';
import type { Role } from '../../kernel/actor.js';
import { IsName } from '../../kernel/values/is-name.js';
import { EnvironmentInput, IdInput, ProjectInput } from './ids.inputs.js';
import { KeyScopeType } from './keys/project-key.entity.js';
import { RoleType } from './people/membership.entity.js';
import { SwitchableModule } from './projects/switchable-modules.js';

@InputType()
export class SignInInput {
  @Field(() => String)
  @Length(1, 320)
  email!: string;

  @Field(() => String)
  @Length(1, 200)
  password!: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'The organization, for members of several. Defaults to the one joined first among those that the password opens.',
  })
  organizationId?: string | null;
}

@InputType()
export class ChangePasswordInput {
  @Field(() => String)
  @Length(1, 200)
  currentPassword!: string;

  @Field(() => String)
  newPassword!: string;
}

@InputType()
export class CreateOrganizationInput {
  @Field(() => String)
  @IsName()
  name!: string;
}

@InputType()
export class UpdateOrganizationInput extends IdInput {
  @Field(() => String)
  @IsName()
  name!: string;
}

@InputType()
export class CreateProjectInput {
  @Field(() => String)
  @IsName()
  name!: string;
}

@InputType()
export class UpdateProjectInput extends IdInput {
  @Field(() => String, { nullable: true })
  @IsName()
  name?: string | null;

  @Field(() => [String], { nullable: true })
  authorizedOrigins?: string[] | null;

  @Field(() => [String], { nullable: true })
  authorizedAddresses?: string[] | null;

  @Field(() => [String], { nullable: true, deprecationReason: 'Use `switchedOffModules`.' })
  disabledModules?: string[] | null;

  @Field(() => [SwitchableModule], { nullable: true, description: 'The complete list of modules to switch off.' })
  switchedOffModules?: string[] | null;

  @Field(() => Boolean, { nullable: true, description: 'Only operators of the installation can change it.' })
  billingSuspended?: boolean | null;

  @Field(() => Date, {
    nullable: true,
    description:
      'The `updatedAt` that the change is based on; fails with PROJECT_CHANGED_MEANWHILE if it has changed since.',
  })
  expectedUpdatedAt?: Date | null;
}

@InputType()
export class CreateApiKeyInput extends EnvironmentInput {
  @Field(() => String, { nullable: true })
  @IsName()
  name?: string | null;

  @Field(() => [String], {
    nullable: true,
    description: 'ingest, decide, survey, halt, definitions; defaults to all except the last.',
    deprecationReason: 'Use `grantedScopes`.',
  })
  @ArrayNotEmpty()
  scopes?: string[] | null;

  @Field(() => [KeyScopeType], { nullable: true, description: 'Defaults to all except `definitions`.' })
  @ArrayNotEmpty()
  grantedScopes?: string[] | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Requests per minute on routes without their own limit, at least 1; none if absent.',
  })
  @Min(1)
  rateLimit?: number | null;
}

@InputType()
export class CreateDeployTokenInput extends ProjectInput {
  @Field(() => String)
  @IsName()
  name!: string;
}

@InputType()
export class CreateApiTokenInput {
  @Field(() => String)
  @IsName()
  name!: string;

  @Field(() => RoleType)
  role!: Role;

  @Field(() => ID, { nullable: true })
  projectId?: string | null;

  @Field(() => Int, {
    defaultValue: 90,
    description: 'A token created by an API token ends with that token at the latest.',
  })
  @Min(1)
  @Max(365)
  expiresInDays!: number;
}

@InputType()
export class AddMemberInput {
  @Field(() => String)
  @IsEmail()
  email!: string;

  @Field(() => RoleType)
  role!: Role;

  @Field(() => String, {
    nullable: true,
    description:
      'An initial password, which the user must change on first sign-in. If absent, one is generated and returned once.',
  })
  password?: string | null;
}

@InputType()
export class ResetMemberPasswordInput {
  @Field(() => ID)
  userId!: string;

  @Field(() => String, { nullable: true, description: 'Same as for addMember.' })
  password?: string | null;
}

@InputType()
export class ChangeMemberRoleInput {
  @Field(() => ID)
  userId!: string;

  @Field(() => RoleType)
  role!: Role;

  @Field(() => ID, { nullable: true, description: 'Only in this project.' })
  projectId?: string | null;
}

@InputType()
export class RemoveMemberInput {
  @Field(() => ID)
  userId!: string;
}

@InputType()
export class RemoveProjectRoleInput {
  @Field(() => ID)
  userId!: string;

  @Field(() => ID)
  projectId!: string;
}
