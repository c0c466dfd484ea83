import { Arg, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { VerbContext } from '../../../kernel/verb-context.js';
import { ACTIONS, type Action, OPERATOR_ACTIONS, type OperatorAction, PROJECT_ACTIONS } from '../actions.js';
import { ActionType } from '../graph/node.js';
import { mayIn, userOf } from '../guard.js';
import type { Operators } from '../operators.js';
import type { OrganizationService } from '../organization.service.js';
import { Organization } from '../projects/organization.entity.js';
import { loadOnce } from '../visible-node.js';
import { User } from './user.entity.js';
import { Viewer } from './viewer.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(
    private readonly organizations: OrganizationService,
    private readonly operators: Operators,
  ) {}

  @Query(() => Viewer)
  viewer(@VerbContext() ctx: Context): Viewer {
    return this.organizations.viewer(ctx);
  }

  @FieldResolver(() => User)
  user(@VerbContext() ctx: Context, @Root() { userId }: Viewer): Promise<User | null> {
    return loadOnce(ctx, User, userId);
  }

  @FieldResolver(() => Organization, { description: "The token's organization." })
  organization(@VerbContext() ctx: Context, @Root() { organizationId }: Viewer): Promise<Organization | null> {
    return loadOnce(ctx, Organization, organizationId);
  }

  @FieldResolver(() => [ActionType], {
    description: 'What you may do in a project, or in the organization if you give none.',
  })
  async permissions(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID, { nullable: true }) projectId?: string | null,
  ): Promise<(Action | OperatorAction)[]> {
    const actions = projectId ? PROJECT_ACTIONS : (Object.keys(ACTIONS) as Action[]);
    const may = await Promise.all(actions.map((action) => mayIn(ctx, action, projectId ?? null)));
    const beyond = !projectId && (await this.operators.include(ctx, userOf(ctx))) ? OPERATOR_ACTIONS : [];
    return [...actions.filter((_, index) => may[index]), ...beyond];
  }
}
