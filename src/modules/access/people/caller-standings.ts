import type { Role } from '../../../kernel/actor.js';
import type { Context, Statement } from '../../../kernel/context.js';
import { GatheredCalls } from '../../../kernel/database/gathered-calls.js';
import { readShared } from '../../../kernel/database/reading-budget.js';

/** What the database knows about a user in an organization, and about the token that names both. */
export interface Standing {
  user_id: string;
  email: string;
  organization_id: string;
  role: Role;
  password_changed_at: Date;
  must_change_password: boolean;
  credential_id: string;
  kept_session_id: string | null;
  token_expires_at: Date | null;
  token_revoked_at: Date | null;
  token_last_used_at: Date | null;
  token_role: Role | null;
  token_project_id: string | null;
  token_name: string | null;
  session_ended: boolean;
}

/** The UUIDs in a token, all three. */
interface Named {
  readonly ctx: Context;
  readonly org: string;
  readonly jti: string;
  readonly sub: string;
}

const standingsOf = (name: string, token: string): Statement => ({
  name,
  text: `select token.place, u.id as user_id, u.email, m.organization_id, m.role, m.password_changed_at, m.must_change_password,
                m.credential_id, m.kept_session_id,
                t.expires_at as token_expires_at, t.revoked_at as token_revoked_at, t.last_used_at as token_last_used_at,
                t.role as token_role, t.project_id as token_project_id, t.name as token_name,
                e.id is not null as session_ended
           from ${token}
           join app_user u on u.id = token.sub
           join membership m on m.user_id = u.id and m.organization_id = token.org
           left join api_token t on t.id = token.jti and t.user_id = u.id and t.organization_id = m.organization_id
           left join ended_session e on e.id = token.jti`,
});

const MANY = standingsOf(
  'caller-standings',
  'unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as token(org, jti, sub, place)',
);
/** PostgreSQL expects ten rows from an array until it knows better, and would replan a single one each time. */
const ONE = standingsOf(
  'caller-standing',
  '(select $1::uuid as org, $2::uuid as jti, $3::uuid as sub, 1 as place) token',
);

/** Concurrent statements for standings, and tokens per statement. */
const GATHERING = { running: 2, group: 200 };

/**
 * Reads the standing of callers, batched into one statement that starts after the last of them has asked, so that nobody gets an outdated
 * standing.
 */
export class CallerStandings {
  private readonly gathered = new GatheredCalls<Named, Standing | undefined>(GATHERING, readTogether);

  /** The standing of a token's user; undefined if the user is gone, or not in the organization. */
  of(ctx: Context, { org, jti, sub }: Omit<Named, 'ctx'>): Promise<Standing | undefined> {
    return this.gathered.make('standing', { ctx, org, jti, sub });
  }
}

async function readTogether(all: readonly Named[]): Promise<(Standing | undefined)[]> {
  const distinct = new Map(all.map((named) => [keyOf(named), named]));
  const named = [...distinct.values()];
  const values = [named.map(({ org }) => org), named.map(({ jti }) => jti), named.map(({ sub }) => sub)];
  const { ctx } = all[0] as Named;
  const rows = await readShared(() =>
    named.length === 1
      ? ctx.rows<Standing & { place: number }>(ONE, values.flat())
      : ctx.rows<Standing & { place: string }>(MANY, values),
  );
  const keys = [...distinct.keys()];
  const standings = new Map(rows.map((row) => [keys[Number(row.place) - 1], row]));
  return all.map((one) => standings.get(keyOf(one)));
}

const keyOf = ({ org, jti, sub }: Named): string => `${org} ${jti} ${sub}`;
