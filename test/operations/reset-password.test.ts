import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusalOf } from '../support/client.js';
import { buildWorld } from '../support/factories/factories.js';
import { runInstallationCommand } from '../support/installation-command.js';
import { changePassword, signIn } from '../support/sign-in.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

const x = suite('npm run reset-password');
let test: TestApp;

x.before(async () => {
  test = await openTestApp();
});
x.after(() => test.close());

const run = (...words: string[]) =>
  runInstallationCommand({ name: 'reset-password', words, databaseUrl: test.databaseUrl, dataDir: test.dataDir });

x('lets the last owner back in while the server runs, and records it in the audit log', async () => {
  const { owner } = await buildWorld(test);
  const session = await signIn(test.baseUrl, owner);
  const { code, stdout, stderr } = await run(owner.email.toUpperCase());
  assert.equal([code, stderr], [0, '']);
  const password = stdout.trimEnd().split('\n').at(-1) ?? '';
  assert.is((await refusalOf(session.client.graphql('{ me { id } }'))).code, 'UNAUTHENTICATED');
  assert.is((await refusalOf(signIn(test.baseUrl, owner))).code, 'WRONG_CREDENTIALS');
  const again = await signIn(test.baseUrl, { email: owner.email, password });
  assert.is(again.passwordChangeRequired, true);
  await changePassword(again.client, password, 'one that only they know');
  const { auditLog } = await again.client.graphql<{ auditLog: { nodes: Record<string, unknown>[] } }>(
    '{ auditLog(kind: "access.member.password_reset") { nodes { actorId address data } } }',
  );
  assert.equal(auditLog.nodes, [{ actorId: 'system:reset-password', address: null, data: { user_id: owner.id } }]);
});

x('asks which organization if there are several, and changes nothing until told', async () => {
  const { owner, organizationId } = await buildWorld(test);
  const { client } = await signIn(test.baseUrl, owner);
  const { createOrganization } = await client.graphql<{ createOrganization: { id: string } }>(
    'mutation { createOrganization(input: { name: "Another house" }) { id } }',
  );
  for (const words of [[owner.email], [owner.email, randomUUID()], [owner.email, 'no id']]) {
    const { code, stdout, stderr } = await run(...words);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, `${createOrganization.id} Another house`);
    assert.match(stderr, organizationId);
  }
  const { code, stdout } = await run(owner.email, createOrganization.id);
  assert.is(code, 0);
  assert.match(stdout, /can sign in to Another house with the password below/);
  assert.ok(await signIn(test.baseUrl, { ...owner, organizationId }), 'the other account is unchanged');
});

x('reports invalid arguments, and does not create a missing database', async () => {
  const nobody = await run('nobody@example.com');
  assert.is(nobody.code, 1);
  assert.is(nobody.stderr, 'No member of an organization here has the email nobody@example.com.\n');
  for (const [words, says] of [
    [[], /^Missing argument: the email of the account\.\n\nnpm run reset-password -- EMAIL/],
    [['a@example.com', 'b', 'c'], /^This command takes an email and the id of an organization, not c\./],
    [['--check', 'a@example.com'], /^Unknown option '--check'/],
  ] as const) {
    const refused = await run(...words);
    assert.is(refused.code, 2);
    assert.match(refused.stderr, says);
  }
  assert.match((await run('--help')).stdout, /^npm run reset-password -- EMAIL/);
  const dataDir = await mkdtemp(join(tmpdir(), 'no-installation-'));
  try {
    const { code, stderr } = await runInstallationCommand({
      name: 'reset-password',
      words: ['a@example.com'],
      databaseUrl: '',
      dataDir,
    });
    assert.is(code, 1);
    assert.match(stderr, /does not contain an installation/);
    assert.equal(await readdir(dataDir), []);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

x.run();
