import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { findPage, type Page, type PageArgs } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import { accessFailure } from '../access.errors.js';
import { userOf } from '../guard.js';
import { Membership } from '../people/membership.entity.js';
import { User } from '../people/user.entity.js';
import { Organization } from './organization.entity.js';

/** Organizations of the signed-in user. */
export class OrganizationService {
  constructor(private readonly events: EventLog) {}

  /** The signed-in user. */
  async me(ctx: Context): Promise<User> {
    return ctx.em.findOneOrFail(User, { id: userOf(ctx).userId });
  }

  /** The organizations that the user is a member of, oldest first; an API token sees its own only. */
  async list(ctx: Context, page: PageArgs): Promise<Page<Organization>> {
    const actor = userOf(ctx);
    const memberships = await ctx.em.find(Membership, { user: actor.userId });
    const ids = memberships.map((membership) => membership.organizationId);
    const visible = ids.filter((id) => actor.projectId === null || id === actor.organizationId);
    return findPage(ctx.em, Organization, page, { id: { $in: visible } }, { createdAt: 'asc', id: 'asc' });
  }

  /** The organization that the token belongs to. Fails with `organization_not_found`. */
  async get(ctx: Context, id: string): Promise<Organization> {
    const actor = userOf(ctx);
    const organization = isUuid(id) && id === actor.organizationId ? await ctx.em.findOne(Organization, { id }) : null;
    if (!organization) throw accessFailure('organization_not_found');
    return organization;
  }

  /** A new organization whose owner is its maker. */
  async create(ctx: Context, input: { name: string }): Promise<Organization> {
    const actor = userOf(ctx);
    const organization = new Organization();
    organization.name = storableText(input.name);
    organization.createdAt = ctx.now();
    const membership = new Membership();
    membership.organizationId = organization.id;
    membership.user = ctx.em.getReference(User, actor.userId);
    membership.role = 'owner';
    membership.createdAt = ctx.now();
    ctx.em.persist([organization, membership]);
    this.events.emit(ctx, 'access.organization.created', {
      organizationId: organization.id,
      object: { type: 'organization', id: organization.id },
      data: { id: organization.id, name: organization.name },
    });
    return organization;
  }
}
