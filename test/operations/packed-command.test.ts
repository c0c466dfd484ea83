import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SMALL_MAP } from '../support/symbols/symbol-client.js';
import { symbolsCommand } from '../support/symbols/symbols-command.js';

const run = promisify(execFile);

const packed = suite('the packed command');

packed('installs from its tarball alone, and runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'quarterdeck-packed-'));
  try {
    const { stdout } = await run(process.execPath, ['.ci/pack-command.mjs', folder]);
    const tarball = stdout.trim().split('\n').at(-1) ?? '';
    const project = join(folder, 'project');
    await mkdir(project);
    await writeFile(join(project, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project });
    const installed = await readdir(join(project, 'node_modules'));
    assert.equal(
      installed.filter((name) => !name.startsWith('.')),
      ['quarterdeck-cli'],
      'and nothing with it',
    );
    const program = [process.execPath, join(project, 'node_modules/.bin/quarterdeck')];
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    assert.is((await symbolsCommand({ program }, '--version')).results, `${version}\n`);
    await writeFile(join(project, 'app.js.map'), SMALL_MAP);
    const dry = await symbolsCommand({ program }, 'symbols', 'upload', '--dry-run', project);
    assert.is(dry.code, 0, dry.out);
    assert.match(dry.results, /^found +.*app\.js\.map {2}js_sourcemap .*\(app\.js\)$/m);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

packed.run();
