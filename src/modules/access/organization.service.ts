import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { isUuid } from '../../kernel/ids.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { accessFailure } from './access.errors.js';
import type { CreateOrganizationInput, UpdateOrganizationInput } from './access.inputs.js';
import { pageOfOwner } from './graph/list-edge.js';
import { authorizeOrganization, roleHere, userOf } from './guard.js';
import { openAccount } from './people/accounts.js';
import { Membership } from './people/membership.entity.js';
import { User } from './people/user.entity.js';
import type { Viewer } from './people/viewer.js';
import { Organization } from './projects/organization.entity.js';
import { ORGANIZATIONS } from './projects/organization-list.js';

export class OrganizationService {
  /** @param open whether callers may create more organizations */
  constructor(
    private readonly events: EventLog,
    private readonly open: boolean,
  ) {}

  async me(ctx: Context): Promise<User> {
    return ctx.em.findOneOrFail(User, { id: userOf(ctx).userId });
  }

  /** The signed-in user in the token's organization and project. */
  viewer(ctx: Context): Viewer {
    const actor = userOf(ctx);
    const { userId, organizationId, projectId } = actor;
    return { userId, organizationId, role: roleHere(actor), projectId };
  }

  /**
   * The caller's organization, and those that open with the caller's credentials: for an external issuer's token, all the person's
   * organizations; for a session, those whose account shares its password because the person created them. An API token sees only its own.
   */
  async list(operation: OperationContext, args: ListArgs): Promise<Page<Organization>> {
    const ctx = operation.current;
    const actor = userOf(ctx);
    const memberships = await ctx.em.find(Membership, { user: actor.userId });
    const own = memberships.find(({ organizationId }) => organizationId === actor.organizationId);
    const visible = memberships.filter(
      (one) =>
        one === own ||
        actor.credential === 'external' ||
        (actor.credential === 'session' && one.credentialId === own?.credentialId),
    );
    const ids = visible.map(({ organizationId }) => organizationId);
    return pageOfOwner(operation, ORGANIZATIONS, [], args, { id: { $in: ids } });
  }

  /** The token's organization. Fails with `organization_not_found`. */
  async get(ctx: Context, id: string): Promise<Organization> {
    const actor = userOf(ctx);
    const organization = isUuid(id) && id === actor.organizationId ? await ctx.em.findOne(Organization, { id }) : null;
    if (!organization) throw accessFailure('organization_not_found');
    return organization;
  }

  /**
   * Creates an organization owned by its creator, with the password of the creating account if nobody else can know it: an external
   * issuer's token says nothing about passwords, so its bearer can enter the new organization only with the issuer's tokens. Fails with
   * `organizations_closed`.
   */
  async create(ctx: Context, input: CreateOrganizationInput): Promise<Organization> {
    const actor = authorizeOrganization(ctx, 'organization.create');
    if (!this.open) throw accessFailure('organizations_closed');
    const organization = ctx.em.create(Organization, { name: storableText(input.name), createdAt: ctx.now() });
    const where = { organizationId: actor.organizationId, user: actor.userId };
    const own = await ctx.em.findOneOrFail(Membership, where, { populate: ['user'] });
    const isOwnPassword = actor.credential !== 'external' && !own.mustChangePassword;
    await openAccount(ctx, own.user, {
      organizationId: organization.id,
      role: 'owner',
      passwordHash: isOwnPassword ? own.passwordHash : null,
      mustChangePassword: false,
      ...(isOwnPassword ? { credentialId: own.credentialId } : {}),
    });
    const after = { name: organization.name };
    this.events.emitChange(ctx, 'access.organization.created', aboutOrganization(organization), null, after);
    return organization;
  }

  /** Renames the token's organization. Fails with `organization_not_found`. */
  async update(ctx: Context, input: UpdateOrganizationInput): Promise<Organization> {
    const organization = await this.get(ctx, input.id);
    authorizeOrganization(ctx, 'organization.update');
    await ctx.em.refresh(organization, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const before = { name: organization.name };
    organization.name = storableText(input.name);
    const after = { name: organization.name };
    this.events.emitChange(ctx, 'access.organization.updated', aboutOrganization(organization), before, after);
    return organization;
  }
}

const aboutOrganization = ({ id, name }: Organization) => ({
  organizationId: id,
  object: { type: 'organization', id },
  data: { id, name },
});
