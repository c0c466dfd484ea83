import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hashPassword } from '../../../src/modules/access/people/passwords.js';
import { startServerProcess } from '../../harness/server-process.js';
import { createEmptyDatabase, migrateUpTo } from '../../support/database.js';
import { changePassword, signIn } from '../../support/sign-in.js';

const before = suite('accounts and a process of the release before');

const MIGRATION = '20261122100000-account-credentials';
const PASSWORD = 'from the release before';
const NEW = 'a password set by the new one';

/** The statements of the release that stored passwords per person. */
class ReleaseBefore {
  constructor(private readonly database: pg.Client) {}

  async organization(): Promise<string> {
    const id = randomUUID();
    await this.database.query(`insert into organization (id, name, created_at) values ($1, 'Old', now())`, [id]);
    return id;
  }

  async person(email: string, hash: string): Promise<string> {
    const id = randomUUID();
    await this.database.query(
      'insert into app_user (id, email, password_hash, password_changed_at, created_at) values ($1, $2, $3, now(), now())',
      [id, email, hash],
    );
    return id;
  }

  async join(organizationId: string, userId: string): Promise<void> {
    await this.database.query(
      `insert into membership (id, organization_id, user_id, role, created_at) values ($1, $2, $3, 'owner', now())`,
      [randomUUID(), organizationId, userId],
    );
  }

  async changePassword(userId: string, hash: string): Promise<void> {
    const values = [userId, hash];
    await this.database.query(
      'update app_user set password_hash = $2, password_changed_at = now() where id = $1',
      values,
    );
  }

  async passwordOf(userId: string): Promise<string> {
    const { rows } = await this.database.query('select password_hash from app_user where id = $1', [userId]);
    return rows[0].password_hash;
  }
}

before('every login keeps working, and a password set by either version is valid for both', async () => {
  const made = await createEmptyDatabase();
  const database = new pg.Client({ connectionString: made.url });
  await database.connect();
  const old = new ReleaseBefore(database);
  const oldHash = await hashPassword(PASSWORD, randomUUID());
  try {
    await migrateUpTo(made.url, { before: MIGRATION });
    const [first, second] = [await old.organization(), await old.organization()];
    const ada = await old.person('ada@example.com', oldHash);
    for (const organization of [first, second]) await old.join(organization, ada);
    await database.query(
      `insert into api_token (id, organization_id, user_id, name, role, expires_at, created_at)
       values ($1, $2, $3, 'of a removed member', 'owner', now() + interval '1 day', now())`,
      [randomUUID(), first, randomUUID()],
    );

    const server = await startServerProcess({ env: { DATABASE_URL: made.url, FIRST_RUN: 'off', ROLE: 'api' } });
    try {
      const { rows } = await database.query('select revoked_at is not null as revoked from api_token');
      assert.equal(rows, [{ revoked: true }]);
      const inBoth = { email: 'ada@example.com', password: PASSWORD };
      const session = await signIn(server.url, { ...inBoth, organizationId: first });
      assert.is(session.passwordChangeRequired, false);
      assert.ok(await signIn(server.url, { ...inBoth, organizationId: second }));

      await changePassword(session.client, PASSWORD, NEW);
      const changed = await old.passwordOf(ada);
      assert.is.not(changed, oldHash, 'the old process adopts the new password');
      assert.ok(await signIn(server.url, { ...inBoth, organizationId: second }), 'the other account keeps its own');

      const bob = await old.person('bob@example.com', oldHash);
      await old.join(first, bob);
      assert.ok(await signIn(server.url, { email: 'bob@example.com', password: PASSWORD }));
      await old.changePassword(bob, changed);
      assert.ok(await signIn(server.url, { email: 'bob@example.com', password: NEW }));

      await old.join(second, bob);
      const foreign = { email: 'bob@example.com', password: NEW, organizationId: second };
      const refused = await signIn(server.url, foreign).catch((error) => error.code);
      assert.is(
        refused,
        'WRONG_CREDENTIALS',
        'a password from elsewhere gives no access to an organization that is not theirs',
      );
      const third = await old.organization();
      await old.join(third, bob);
      assert.ok(
        await signIn(server.url, { ...foreign, organizationId: third }),
        'it gives access to an organization that they created',
      );
    } finally {
      await server.stop();
    }
  } finally {
    await database.end();
    await made.drop();
  }
});

before.run();
