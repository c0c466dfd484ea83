import { LockMode } from '@mikro-orm/postgresql';
import type { Role } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { newUuid } from '../../../kernel/ids.js';
import { accessFailure } from '../access.errors.js';
import { Membership } from './membership.entity.js';
import { User } from './user.entity.js';

export const emailOf = (text: string): string => text.trim().toLowerCase();

/** The person with this email, created if needed, and locked until the transaction ends. */
export async function personNamed(ctx: Context, email: string): Promise<User> {
  await ctx.em.execute('insert into app_user (id, email, created_at) values (?, ?, ?) on conflict (email) do nothing', [
    newUuid(),
    email,
    ctx.now(),
  ]);
  return ctx.em.findOneOrFail(User, { email }, { lockMode: LockMode.PESSIMISTIC_WRITE });
}

/** A person's credentials in one organization, and their permissions there. */
export interface Account {
  organizationId: string;
  role: Role;
  passwordHash: string | null;
  /** Someone else chose the password. */
  mustChangePassword: boolean;
  /** The id of the account whose password this one shares; absent for a password of its own. */
  credentialId?: string;
}

/** Makes the person a member. Fails with `member_exists`. */
export async function openAccount(ctx: Context, user: User, account: Account): Promise<Membership> {
  if (await ctx.em.findOne(Membership, { organizationId: account.organizationId, user }))
    throw accessFailure('member_exists');
  return ctx.em.create(Membership, {
    credentialId: newUuid(),
    ...account,
    user,
    passwordChangedAt: ctx.now(),
    createdAt: ctx.now(),
  });
}

/** Replaces an account's password: previous sessions end, except for the one that is kept. */
export function beginAnew(
  member: Membership,
  password: Pick<Membership, 'passwordHash' | 'mustChangePassword' | 'keptSessionId'>,
  at: Date,
): void {
  member.passwordHash = password.passwordHash;
  member.mustChangePassword = password.mustChangePassword;
  member.keptSessionId = password.keptSessionId;
  member.passwordChangedAt = at;
  member.credentialId = newUuid();
}

/** How many API tokens act for a member of an organization, regardless of password changes. */
export async function remainingApiTokens(ctx: Context, { user, organizationId }: Membership): Promise<number> {
  const [row] = await ctx.em.execute<{ count: number }[]>(
    `select count(*)::int as count from api_token
      where organization_id = ? and user_id = ? and revoked_at is null and expires_at > ?`,
    [organizationId, user.id, ctx.now()],
  );
  return row?.count ?? 0;
}
