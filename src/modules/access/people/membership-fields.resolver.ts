import { FieldResolver, Resolver, Root } from 'type-graphql';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import { Operation, type OperationContext } from '../../../kernel/verb-context.js';
import { ListField } from '../graph/list-fields.js';
import { loadOnce } from '../visible-node.js';
import type { MemberService } from './member.service.js';
import { ProjectRoleConnection, ProjectRoleListArgs } from './member-lists.js';
import { Membership } from './membership.entity.js';
import type { ProjectRole } from './project-role.entity.js';
import { User } from './user.entity.js';

@Resolver(() => Membership)
export class MembershipFields {
  constructor(private readonly members: MemberService) {}

  @FieldResolver(() => User)
  user(@Operation() { current }: OperationContext, @Root() { user }: Membership): Promise<User | null> {
    return loadOnce(current, User, user.id);
  }

  @ListField(() => ProjectRoleConnection, ProjectRoleListArgs, {
    description: 'The projects in which the member has a different role.',
  })
  projectRoles(operation: OperationContext, member: Membership, args: ListArgs): Promise<Page<ProjectRole>> {
    return this.members.projectRoles(operation, member, args);
  }
}
