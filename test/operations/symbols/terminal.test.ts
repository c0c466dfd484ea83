import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { machineHas } from '../../runner/machine.js';
import { buildWorld } from '../../support/factories/factories.js';
import { appSuite } from '../../support/factories/world-suite.js';
import { folderPerTest } from '../../support/symbols/folder-per-test.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';
import { COMMAND, symbolsCommand } from '../../support/symbols/symbols-command.js';

const shown = appSuite<{ folder: string; env: Record<string, string> }>('what symbols upload shows', { worker: true });
folderPerTest(shown);

shown.before.each(async (context) => {
  const { owner } = await buildWorld(context.test);
  context.env = { QUARTERDECK_URL: context.test.baseUrl, QUARTERDECK_TOKEN: owner.token };
  for (const name of ['a', 'b']) await writeFile(join(context.folder, `${name}.js.map`), SMALL_MAP);
});

/** Redrawn on the same line. */
const PROGRESS = /\r\u001b\[K[0-2] of 2 files, \d+ kB of \d+ kB sent/;

shown('no progress and no terminal codes when output is piped', async ({ folder, env }) => {
  const { code, out } = await symbolsCommand({ env }, 'upload', folder);
  assert.is(code, 0, out);
  assert.not.match(out, /of 2 files|[\r\u001b]/);
  assert.match(out, /^2 usable, 0 failed, 0 skipped/m);
});

shown('nothing to a reader who stopped reading, while still doing all its work', async ({ folder, env }) => {
  const broken = join(folder, 'c.js.map');
  await writeFile(broken, SMALL_MAP.replace('"mappings":"', '"mappings":"!'));
  const unread = await symbolsCommand({ env, isUnread: true }, 'upload', folder);
  assert.is(unread.code, 1, unread.out);
  assert.match(unread.messages, /^2 usable, 1 failed/m);
  const { results } = await symbolsCommand({ env }, 'list', '--release', '');
  const ids = results.match(/^sym_\w+/gm) ?? [];
  assert.is(ids.length, 3, results);
  assert.is((await symbolsCommand({ env, isUnread: true }, 'delete', ...ids)).code, 0);
  assert.is((await symbolsCommand({ env }, 'list', '--release', '')).results, '');
});

if (machineHas('script')) {
  shown('one line of progress on a terminal, which the result replaces', async ({ folder, env }) => {
    const quoted = [...COMMAND, 'upload', folder].map((word) => `'${word}'`).join(' ');
    const { code, results } = await symbolsCommand({ env, program: ['script', '-qec', quoted, '/dev/null'] });
    assert.is(code, 0, results);
    assert.match(results, PROGRESS);
    assert.match(results, /sent\r\u001b\[K(?:usable|2 usable)/, 'the line is gone before the next');
  });
}

// Root ignores file permissions, but its program does not without these capabilities.
const isRoot = process.getuid?.() === 0;
if (!isRoot || machineHas('setpriv')) {
  shown('unreadable files are reported, not retried, and do not stop the others', async ({ folder, env }) => {
    const rights = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
    const program = [...(isRoot ? rights : []), ...COMMAND];
    const [locked, closed] = [join(folder, 'locked.js.map'), join(folder, 'closed')];
    await writeFile(locked, SMALL_MAP);
    await mkdir(closed);
    for (const path of [locked, closed]) await chmod(path, 0);
    const ended = await symbolsCommand({ env, program }, 'upload', folder);
    await chmod(closed, 0o700);
    assert.is(ended.code, 1, ended.out);
    for (const path of [locked, closed])
      assert.match(ended.results, new RegExp(`^failed +${path}: could not be read: EACCES: permission denied`, 'm'));
    assert.match(ended.messages, /^2 usable, 2 failed, 0 skipped/m);
    assert.not.match(ended.messages, /trying again/);
    const alone = await symbolsCommand({ env, program }, 'upload', locked);
    assert.is(alone.code, 1);
    assert.match(alone.results, /^failed +.*locked\.js\.map: could not be read: EACCES/);
  });
}

shown.run();
