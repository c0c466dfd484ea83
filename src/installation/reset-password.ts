import { readEnv } from '../env.js';
import { withClient } from '../storage/databases.js';
import { runCommand } from './command.js';
import { requireInstallation, withDatabase } from './installation.js';

const COMMAND = {
  usage: 'npm run reset-password -- EMAIL [ORGANIZATION]',
  does: `Gives someone who forgot their password a new initial one, even the last owner. The server can keep running. If they belong to
several organizations, add the id of one.`,
  words: [{ asked: 'the email of the account' }, { asked: 'the organization', isOptional: true }],
  takes: 'an email and the id of an organization',
};

await runCommand(COMMAND, async ({ words: [email = '', organizationId] }, say) => {
  const env = readEnv();
  await requireInstallation(env);
  return withDatabase(env, async (databaseUrl) => {
    const account = await accountOf(databaseUrl, email.trim().toLowerCase(), organizationId);
    // Loads two thousand modules, which an error needn't wait for.
    const { resetForgotten } = await import('./forgotten-password.js');
    const password = await resetForgotten(databaseUrl, env, account.id);
    say(
      `${email} can sign in to ${account.name} with the password below, and then chooses a new one. Their sessions there have ended.`,
    );
    say(password);
    return 0;
  });
});

interface Account {
  id: string;
  organization_id: string;
  name: string;
}

/** The one matching account. Throws with a sentence when there is none, or several. */
async function accountOf(databaseUrl: string, email: string, organizationId: string | undefined): Promise<Account> {
  const all = await accountsOf(databaseUrl, email);
  const [account, another] = all.filter(
    (one) => organizationId === undefined || one.organization_id === organizationId,
  );
  if (all.length === 0) throw new Error(`No member of an organization here has the email ${email}.`);
  const organizations = all.map((one) => `${one.organization_id} ${one.name}`).join('\n');
  if (!account) throw new Error(`${email} does not belong to ${organizationId}, but to:\n${organizations}`);
  if (another) throw new Error(`${email} belongs to several organizations. Add the id of one:\n${organizations}`);
  return account;
}

async function accountsOf(databaseUrl: string, email: string): Promise<Account[]> {
  const { rows } = await withClient({ connectionString: databaseUrl }, (client) =>
    client.query<Account>(
      `select m.id, m.organization_id, o.name from app_user u
         join membership m on m.user_id = u.id join organization o on o.id = m.organization_id
        where u.email = $1 order by m.created_at, m.id`,
      [email],
    ),
  );
  return rows;
}
