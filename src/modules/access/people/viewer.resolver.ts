import { Arg, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { VerbContext } from '../../../kernel/verb-context.js';
import { ACTIONS, type Action, ORGANIZATION_ACTIONS } from '../actions.js';
import { ActionType } from '../graph/node.js';
import { loadOnce } from '../graph/visible-node.js';
import { mayIn } from '../guard.js';
import { Organization } from '../projects/organization.entity.js';
import type { OrganizationService } from '../projects/organization.service.js';
import { User } from './user.entity.js';
import { Viewer } from './viewer.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(private readonly organizations: OrganizationService) {}

  @Query(() => Viewer)
  viewer(@VerbContext() ctx: Context): Viewer {
    return this.organizations.viewer(ctx);
  }

  @FieldResolver(() => User)
  user(@VerbContext() ctx: Context, @Root() { userId }: Viewer): Promise<User | null> {
    return loadOnce(ctx, User, userId);
  }

  @FieldResolver(() => Organization, { description: 'The one that the token belongs to.' })
  organization(@VerbContext() ctx: Context, @Root() { organizationId }: Viewer): Promise<Organization | null> {
    return loadOnce(ctx, Organization, organizationId);
  }

  @FieldResolver(() => [ActionType], {
    description: 'What the viewer may do in a project, or else in the organization.',
  })
  async permissions(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID, { nullable: true }) projectId?: string | null,
  ): Promise<Action[]> {
    const all = Object.keys(ACTIONS) as Action[];
    const actions = projectId ? all.filter((action) => !ORGANIZATION_ACTIONS.has(action)) : all;
    const may = await Promise.all(actions.map((action) => mayIn(ctx, action, projectId ?? null)));
    return actions.filter((_, index) => may[index]);
  }
}
