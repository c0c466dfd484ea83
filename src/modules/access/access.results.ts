import { Field, ID, Int, ObjectType } from 'type-graphql';
import { Edge } from './graph/edge.js';
import { ApiToken } from './keys/api-token.entity.js';
import { DeployToken } from './keys/deploy-token.entity.js';
import { ProjectKey } from './keys/project-key.entity.js';
import { Membership } from './people/membership.entity.js';
import { User } from './people/user.entity.js';

@ObjectType()
export class Session {
  @Field(() => String, { description: 'Send it as Authorization: Bearer <token>.' })
  token!: string;

  @Field(() => Date)
  expiresAt!: Date;

  @Field(() => Boolean, {
    description:
      'Someone else chose the password. Until the user chooses a new one with changePassword, the token can do nothing else.',
  })
  passwordChangeRequired!: boolean;
}

@ObjectType({ description: 'A session whose token is in a cookie that scripts on the page cannot read.' })
export class CookieSession {
  @Field(() => Date, { description: 'When it ends at the latest; it also ends an hour after its last request.' })
  expiresAt!: Date;

  @Field(() => Boolean, {
    description: 'Someone else chose the password. Until changePassword, the session can do nothing else.',
  })
  passwordChangeRequired!: boolean;
}

@ObjectType()
export class SignedOut {
  @Field(() => ID, { description: 'The id of the user who signed out.' })
  userId!: string;

  @Edge(() => User, 'userId', 'The user who signed out.')
  user?: User;
}

@ObjectType()
export class AddedMember {
  @Field(() => Membership)
  member!: Membership;

  @Field(() => String, { nullable: true, description: 'Set if you did not give a password; shown only once.' })
  temporaryPassword!: string | null;
}

@ObjectType()
export class ResetMemberPassword {
  @Field(() => Membership)
  member!: Membership;

  @Field(() => String, { nullable: true, description: 'Set if you did not give a password; shown only once.' })
  temporaryPassword!: string | null;

  @Field(() => Int, { description: "How many of the member's API tokens in the organization are still valid." })
  remainingApiTokens!: number;
}

@ObjectType()
export class CreatedKey {
  @Field(() => ProjectKey)
  key!: ProjectKey;

  @Field(() => String, { description: 'Shown only once.' })
  secret!: string;
}

@ObjectType()
export class CreatedDeployToken {
  @Field(() => DeployToken)
  deployToken!: DeployToken;

  @Field(() => String, { description: 'Shown only once.' })
  secret!: string;
}

@ObjectType()
export class CreatedApiToken {
  @Field(() => ApiToken)
  apiToken!: ApiToken;

  @Field(() => String, { description: 'Shown only once.' })
  token!: string;
}
