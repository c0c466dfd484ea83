import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readEnv, SettingError } from '../../src/env.js';
import { keptSecret } from '../../src/installation/secrets.js';
import { serverFile } from '../harness/server-process.js';

const secret = suite<{ folder: string }>('the secret that an installation keeps');

secret.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-secret-'));
});
secret.after.each(({ folder }) => rm(folder, { recursive: true, force: true }));

const here = dirname(fileURLToPath(import.meta.url));

async function startProcess(folder: string, rounds: number): Promise<() => Promise<string[]>> {
  const child = spawn(process.execPath, [join(here, 'kept-secret-process.js'), folder, String(rounds)]);
  child.stderr.pipe(process.stderr);
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end('go');
    return JSON.parse(await text(child.stdout)) as string[];
  };
}

secret('is complete and identical for all processes that start at once', async ({ folder }) => {
  const rounds = 40;
  const processes = await Promise.all(Array.from({ length: 6 }, () => startProcess(folder, rounds)));
  const got = await Promise.all(processes.map((go) => go()));
  for (let round = 0; round < rounds; round++) {
    const seen = new Set(got.map((secrets) => secrets[round]));
    assert.equal([...seen], [await readFile(join(folder, String(round), 'jwt-secret'), 'utf8')], `round ${round}`);
    assert.match([...seen][0] ?? '', /^[\w-]{64}$/);
    assert.equal(await readdir(join(folder, String(round))), ['jwt-secret'], 'drafts are removed');
  }
});

secret('is readable only by its owner, and does not change', async ({ folder }) => {
  const made = await keptSecret(folder, 'jwt-secret', null);
  assert.is((await stat(join(folder, 'jwt-secret'))).mode & 0o777, 0o600);
  assert.is(await keptSecret(folder, 'jwt-secret', null), made);
});

secret('stops startup with a clear message when it is empty, too short or unreadable', async ({ folder }) => {
  const sentenceOf = async (name: string): Promise<string> => {
    try {
      await keptSecret(folder, name, null);
    } catch (error) {
      if (error instanceof SettingError) return error.message;
    }
    return '';
  };
  for (const content of ['', '\n', 'short', `${'x'.repeat(31)}\n`]) {
    await writeFile(join(folder, 'jwt-secret'), content);
    assert.match(await sentenceOf('jwt-secret'), /jwt-secret is empty or has fewer than 32 characters/, `"${content}"`);
  }
  await mkdir(join(folder, 'a-folder'));
  assert.match(await sentenceOf('a-folder'), /a-folder cannot be read or created: EISDIR/);
  for (const name of ['JWT_SECRET', 'JWT_PREVIOUS_SECRETS'])
    assert.throws(() => readEnv({ [name]: 'x'.repeat(31) }), new RegExp(`${name} must have 32 characters or more`));
});

secret('that is empty is reported in one line by the server itself', async ({ folder }) => {
  await writeFile(join(folder, 'jwt-secret'), '');
  const env = { ...process.env, DATA_DIR: folder, DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const server = spawn(process.execPath, [serverFile], { env });
  const [output, failure, [code]] = await Promise.all([text(server.stdout), text(server.stderr), once(server, 'exit')]);
  assert.is(code, 1);
  assert.match(output, /^The secret in .*jwt-secret is empty .*\n$/);
  assert.is(failure, '');
});

secret.run();
