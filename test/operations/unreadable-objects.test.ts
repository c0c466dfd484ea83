import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { machineHas } from '../runner/machine.js';
import { createEmptyDatabase } from '../support/database.js';
import { runInstallationCommand } from '../support/installation-command.js';
import { type StallingDatabase, stallingDatabase } from '../support/stalling-database.js';
import { openTestApp, type TestApp } from '../support/test-app.js';

// Root ignores file permissions, but its program does not without these capabilities.
const isRoot = process.getuid?.() === 0;
const before = isRoot ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

const x = suite<{ test: TestApp; folder: string; way: StallingDatabase }>(
  'a backup that may not read or write objects',
);

x.before(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'quarterdeck-unreadable-'));
  context.test = await openTestApp();
  // Without these capabilities, the folder of the database's socket is inaccessible too.
  context.way = await stallingDatabase(context.test.databaseUrl, 'no statement has these words');
  await context.test.app.parts.objects.put('symbols/a/1', Readable.from([Buffer.from('symbols')]));
});
x.after(async ({ test, folder, way }) => {
  await way.close();
  await test.close();
  await rm(folder, { recursive: true, force: true });
});

const ADVICE = "run this as the server's user, or grant this user access";

if (!isRoot || machineHas('setpriv')) {
  x(
    'names the object or the folder, and says what to do',
    async ({ test: { dataDir }, folder, way: { url: databaseUrl } }) => {
      const place = join(dataDir, 'objects', 'symbols', 'a');
      for (const [path, rights, words] of [
        [join(place, '1'), 0o600, 'the object symbols/a/1: EACCES: permission denied, open'],
        [`${place}/`, 0o700, 'the objects cannot be listed: EACCES: permission denied, scandir'],
      ] as const) {
        await chmod(path, 0);
        const ended = await runInstallationCommand({
          name: 'backup',
          words: [join(folder, 'none')],
          databaseUrl,
          dataDir,
          before,
        });
        await chmod(path, rights);
        const sentence = `The backup failed while copying the objects: ${words} '${path}'; ${ADVICE}. Nothing of it was kept\n`;
        assert.is(ended.code, 1);
        assert.ok(ended.stderr.endsWith(sentence), ended.stderr);
      }
    },
  );

  x('restores nothing if it may not write the objects, and says so', async ({ test, folder }) => {
    const { databaseUrl, dataDir } = test;
    const [whole, target] = [join(folder, 'whole'), join(folder, 'target')];
    const made = await runInstallationCommand({ name: 'backup', words: [whole], databaseUrl, dataDir });
    assert.is(made.code, 0, made.stderr);
    await mkdir(join(target, 'objects'), { recursive: true });
    await chmod(join(target, 'objects'), 0o500);
    const empty = await createEmptyDatabase();
    const way = await stallingDatabase(empty.url, 'no statement has these words');
    const settings = { databaseUrl: way.url, dataDir: target, before };
    const ended = await runInstallationCommand({ name: 'restore', words: [whole], ...settings });
    assert.is(ended.code, 1, ended.stderr);
    assert.match(ended.stderr, /^The object store refused the object symbols\/a\/1: EACCES: permission denied, mkdir/m);
    assert.match(ended.stderr, ADVICE);
    await way.close();
    await empty.drop();
  });
}

x.run();
