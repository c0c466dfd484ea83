import { Arg, FieldResolver, ID, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { VerbContext } from '../../../kernel/verb-context.js';
import { ACTIONS, type Action, ORGANIZATION_ACTIONS } from '../actions.js';
import { ActionType } from '../graph/node.js';
import { mayIn } from '../guard.js';
import type { OrganizationService } from '../projects/organization.service.js';
import { Viewer } from './viewer.js';

@Resolver(() => Viewer)
export class ViewerResolver {
  constructor(private readonly organizations: OrganizationService) {}

  @Query(() => Viewer)
  viewer(@VerbContext() ctx: Context): Promise<Viewer> {
    return this.organizations.viewer(ctx);
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
