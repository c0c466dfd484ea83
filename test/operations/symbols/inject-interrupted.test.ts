import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { chmod, cp, mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { machineHas } from '../../runner/machine.js';
import { folderPerTest } from '../../support/symbols/folder-per-test.js';
import { injected } from '../../support/symbols/injected.js';
import { SMALL_MAP } from '../../support/symbols/symbol-client.js';
import { COMMAND, symbolsCommand } from '../../support/symbols/symbols-command.js';

const inject = suite<{ folder: string }>('quarterdeck symbols inject, cut short or twice at once');
folderPerTest(inject);

/** Scripts with maps of their own, two that share one, and one without a final line break. */
async function smallBuild(folder: string): Promise<void> {
  await mkdir(folder);
  const map = (name: string) => JSON.stringify({ version: 3, sources: [name], names: [], mappings: 'AAAA' });
  for (let at = 10; at < 40; at += 1) {
    const end = at % 2 === 0 ? '\n' : '';
    await writeFile(join(folder, `${at}.js`), `'use strict';go(${at});\n//# sourceMappingURL=${at}.js.map${end}`);
    await writeFile(join(folder, `${at}.js.map`), map(`${at}.ts`));
  }
  for (const name of ['a.js', 'b.js'])
    await writeFile(join(folder, name), 'shared();\n//# sourceMappingURL=shared.map\n');
  await writeFile(join(folder, 'shared.map'), map('shared.ts'));
  // Like bundlers that assign ids themselves.
  const id = '11111111-2222-4333-8444-555555555555';
  const given = { version: 3, sources: ['given.ts'], names: [], mappings: 'AAAA,aAAA,GAAG', debugId: id };
  const marks = `//# debugId=${id}\n//# sourceMappingURL=`;
  for (const [name, front] of Object.entries({ given: '', strict: "'use strict';" })) {
    await writeFile(join(folder, `${name}.js`), `${front}go(one, another, all);\n${marks}${name}.js.map\n`);
    await writeFile(join(folder, `${name}.js.map`), JSON.stringify(given));
  }
  await writeFile(join(folder, 'bare.js'), 'go()');
  await writeFile(join(folder, 'bare.js.map'), map('bare.ts'));
}

async function filesOf(folder: string): Promise<[name: string, text: string][]> {
  const found = await readdir(folder, { withFileTypes: true });
  const names = found.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort();
  return Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]));
}

inject('the next run completes a script or map that was written without the other', async ({ folder }) => {
  const [plain, whole] = [join(folder, 'plain'), join(folder, 'whole')];
  await smallBuild(plain);
  await cp(plain, whole, { recursive: true });
  await injected(whole);
  const wanted = await filesOf(whole);
  const scripts = ['10.js', '11.js', 'bare.js', 'a.js', 'b.js', 'given.js', 'strict.js'];
  const names = [...scripts, '10.js.map', '11.js.map', 'bare.js.map', 'shared.map', 'given.js.map', 'strict.js.map'];
  const cutOf = (name: string) => join(folder, `cut-${name}`);
  for (const name of names) {
    await cp(plain, cutOf(name), { recursive: true });
    await cp(join(whole, name), join(cutOf(name), name));
  }
  const again = await symbolsCommand({}, 'inject', ...names.map(cutOf));
  assert.is(again.code, 0, again.out);
  for (const name of names) assert.equal(await filesOf(cutOf(name)), wanted, name);
});

// Root ignores file permissions, but its program does not without this capability.
const isRoot = process.getuid?.() === 0;
if (!isRoot || machineHas('setpriv')) {
  inject('if a script cannot be written its map stays unchanged, and the next run does both', async ({ folder }) => {
    const [cut, whole] = [join(folder, 'cut'), join(folder, 'whole')];
    await smallBuild(cut);
    await mkdir(join(cut, 'closed'));
    for (const name of ['given.js', 'given.js.map']) await rename(join(cut, name), join(cut, 'closed', name));
    await rename(join(cut, 'closed', 'given.js.map'), join(cut, 'given.js.map'));
    const script = join(cut, 'closed', 'given.js');
    await writeFile(script, (await readFile(script, 'utf8')).replace('given.js.map', '../given.js.map'));
    await cp(cut, whole, { recursive: true });
    await injected(whole);
    const before = await Promise.all([script, join(cut, 'given.js.map')].map((path) => readFile(path, 'utf8')));
    await chmod(join(cut, 'closed'), 0o555);
    const program = [...(isRoot ? ['setpriv', '--bounding-set=-dac_override'] : []), ...COMMAND];
    const ended = await symbolsCommand({ program }, 'inject', cut);
    await chmod(join(cut, 'closed'), 0o755);
    assert.match(ended.results, /^failed +.*given\.js: EACCES/m);
    assert.equal(await Promise.all([script, join(cut, 'given.js.map')].map((path) => readFile(path, 'utf8'))), before);
    const again = await injected(cut);
    assert.equal([again['given.js']?.status, again['strict.js']?.status], ['injected', 'unchanged']);
    for (const place of ['.', 'closed'])
      assert.equal(await filesOf(join(cut, place)), await filesOf(join(whole, place)));
    await writeFile(script, 'anew();\n//# sourceMappingURL=../given.js.map\n');
    assert.match((await injected(cut))['given.js']?.reason ?? '', /its source map was changed for another build/);
  });
}

inject('concurrent runs in one folder have the same result as one', async ({ folder }) => {
  const [shared, whole] = [join(folder, 'shared'), join(folder, 'whole')];
  await mkdir(shared);
  for (let at = 0; at < 200; at++) {
    await writeFile(join(shared, `${at}.js`), `go(${at});\n//# sourceMappingURL=${at}.js.map\n`);
    await writeFile(join(shared, `${at}.js.map`), SMALL_MAP);
  }
  await cp(shared, whole, { recursive: true });
  await injected(whole);
  const all = await Promise.all(Array.from({ length: 4 }, () => symbolsCommand({}, 'inject', shared)));
  for (const { code, out } of all) assert.is(code, 0, out.replace(/^(?:injected|unchanged) .*\n/gm, ''));
  assert.equal(await filesOf(shared), await filesOf(whole));
});

inject(
  'drafts of another container, whose process ids mean nothing here, stay until they are old',
  async ({ folder }) => {
    const ended = spawn('true', { stdio: 'ignore' });
    await once(ended, 'exit');
    const [own, early] = [
      `.quarterdeck-${ended.pid}-${'0'.repeat(16)}-${'1'.repeat(64)}`,
      `.quarterdeck-${ended.pid}-${'2'.repeat(64)}`,
    ];
    await smallBuild(join(folder, 'build'));
    const drafts = [own, early].map((name) => join(folder, 'build', name));
    for (const draft of drafts) await writeFile(draft, 'half a');
    const left = async () => (await readdir(join(folder, 'build'))).filter((name) => name.startsWith('.quarterdeck-'));
    await injected(join(folder, 'build'));
    assert.equal((await left()).sort(), [early, own].sort());
    const old = new Date(Date.now() - 3_600_000);
    for (const draft of drafts) await utimes(draft, old, old);
    await writeFile(join(folder, 'build', 'bare.js'), 'go()');
    await rm(join(folder, 'build', 'bare.js.map'));
    await writeFile(join(folder, 'build', 'bare.js.map'), SMALL_MAP);
    await injected(join(folder, 'build'));
    assert.equal(await left(), []);
  },
);

inject('pairs from earlier versions, whose maps do not record the move, stay unchanged', async ({ folder }) => {
  const whole = join(folder, 'whole');
  await smallBuild(whole);
  await injected(whole);
  const maps = (await readdir(whole)).filter((name) => name.endsWith('.map')).map((name) => join(whole, name));
  for (const path of maps) {
    const { x_quarterdeck_moved: movedFor, ...earlier } = JSON.parse(await readFile(path, 'utf8')) as {
      x_quarterdeck_moved: string;
    };
    assert.match(movedFor, /^[0-9a-f]{64}$/);
    await writeFile(path, JSON.stringify(earlier));
  }
  const before = await filesOf(whole);
  const again = Object.values(await injected(whole)).map(({ status }) => status);
  assert.equal(new Set(again), new Set(['unchanged']));
  assert.equal(await filesOf(whole), before);
});

inject('the next run completes what a killed command left unfinished', async ({ folder }) => {
  const whole = join(folder, 'whole');
  await smallBuild(whole);
  await injected(whole);
  const wanted = await filesOf(whole);
  const [program = '', ...first] = COMMAND;
  const signals: unknown[] = [];
  const cuts: string[] = [];
  for (const changes of [1, 2, 3, 4, 17]) {
    const cut = join(folder, `killed-${changes}`);
    cuts.push(cut);
    await smallBuild(cut);
    const child = spawn(program, [...first, 'inject', cut], { stdio: 'ignore' });
    const ended = new Promise((resolve) => child.on('exit', (_, signal) => resolve(signal)));
    let seen = 0;
    const watcher = watch(cut, () => {
      seen += 1;
      if (seen === changes) child.kill('SIGKILL');
    });
    signals.push(await ended);
    watcher.close();
  }
  const again = await symbolsCommand({}, 'inject', ...cuts);
  assert.is(again.code, 0, again.out);
  for (const cut of cuts) assert.equal(await filesOf(cut), wanted, cut);
  assert.ok(signals.includes('SIGKILL'), 'at least one was killed before it finished');
});

inject.run();
