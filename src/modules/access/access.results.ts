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
      'Somebody else chose the password: until the user has chosen another with changePassword, the token is good for nothing else.',
  })
  passwordChangeRequired!: boolean;
}

@ObjectType({ description: 'A session whose token is in a cookie that no script of the page can read.' })
export class CookieSession {
  @Field(() => Date, { description: 'When it ends at the latest; it ends an hour after its last request, too.' })
  expiresAt!: Date;

  @Field(() => Boolean, {
    description: 'Somebody else chose the password: until changePassword the session is good for nothing else.',
  })
  passwordChangeRequired!: boolean;
}

@ObjectType()
export class SignedOut {
  @Field(() => ID, { description: 'Who signed out.' })
  userId!: string;

  @Edge(() => User, 'userId', 'The person who signed out.')
  user?: User;
}

@ObjectType()
export class AddedMember {
  @Field(() => Membership)
  member!: Membership;

  @Field(() => String, { nullable: true, description: 'Where no password was given; shown this once.' })
  temporaryPassword!: string | null;
}

@ObjectType()
export class ResetMemberPassword {
  @Field(() => Membership)
  member!: Membership;

  @Field(() => String, { nullable: true, description: 'Where no password was given; shown this once.' })
  temporaryPassword!: string | null;

  @Field(() => Int, { description: 'How many API tokens of the organization still act for the member.' })
  remainingApiTokens!: number;
}

@ObjectType()
export class CreatedKey {
  @Field(() => ProjectKey)
  key!: ProjectKey;

  @Field(() => String, { description: 'Shown this once.' })
  secret!: string;
}

@ObjectType()
export class CreatedDeployToken {
  @Field(() => DeployToken)
  deployToken!: DeployToken;

  @Field(() => String, { description: 'Shown this once.' })
  secret!: string;
}

@ObjectType()
export class CreatedApiToken {
  @Field(() => ApiToken)
  apiToken!: ApiToken;

  @Field(() => String, { description: 'Shown this once.' })
  token!: string;
}
