import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertDsym } from '../../src/symbols/conversion/convert-dsym.js';
import { convertNativeLibrary } from '../../src/symbols/conversion/convert-native-library.js';
import { runConversion } from '../../src/symbols/conversion/run-conversion.js';
import { makeZip } from './support/make-zip.js';

const x = suite('conversion of uploads');
const folder = mkdtempSync(join(tmpdir(), 'conversion-'));
x.after(() => rmSync(folder, { recursive: true, force: true }));

const ENGINE = gunzipSync(readFileSync('test/fixtures/symbols/native/built/engine.dwarf.gz'));
const IN_BUNDLE = 'App.dSYM/Contents/Resources/DWARF/App';

function dsym(originalName: string, bytes: Buffer) {
  const path = join(folder, originalName);
  writeFileSync(path, bytes);
  return convertDsym({ path, originalName, release: '', matchKey: '', packages: [] });
}

x('files next to the dSYM bundles in a zip do no harm, but an upload without any symbols fails', () => {
  const whole = dsym('App', ENGINE);
  assert.ok(whole.tables.length > 0);
  const foreign = ['.DS_Store', 'README.txt', 'notes/README.txt'].map((name) => ({
    name,
    data: Buffer.from('no symbols'),
  }));
  const zipped = dsym('dSYMs.zip', makeZip([...foreign, { name: IN_BUNDLE, data: ENGINE }]));
  assert.equal(zipped, whole);
  assert.equal(dsym('App.zip', makeZip([{ name: 'App', data: ENGINE }, ...foreign])), whole);
  assert.throws(() => dsym('foreign.zip', makeZip(foreign)), /no_symbols/);
  assert.throws(() => dsym('App', Buffer.from('no symbols')), /not_/);
});

x('a file in an archive that cannot be used is mentioned, and does not affect the others', () => {
  const native = (...names: string[]) => {
    const path = join(folder, randomUUID());
    const members = names.map((name) => {
      const data = gunzipSync(readFileSync(`test/fixtures/symbols/native/built/${name}.gz`));
      // Damaged: the section table is past the end.
      return { name: `lib/${name}`, data: name === 'dwarf4.so' ? data.subarray(0, data.length / 2) : data };
    });
    writeFileSync(path, makeZip(members));
    return convertNativeLibrary({ path, originalName: 'symbols.zip', release: '', matchKey: '' });
  };
  const [alone] = native('dwarf5.so').tables;
  assert.is(alone?.detailReason, null);
  for (const [unusable, reason] of [
    ['object.o', /^The archive contains lib\/object\.o, which was left out: This is an object file/],
    ['engine.dwo', /^The archive contains lib\/engine\.dwo, which was left out: This is the split debug information/],
    ['dwarf4.so', /^The archive contains lib\/dwarf4\.so, which was left out: .*past the end/],
  ] as const) {
    for (const names of [
      [unusable, 'dwarf5.so'],
      ['dwarf5.so', unusable],
    ]) {
      const [table, ...others] = native(...names).tables;
      assert.equal(others, []);
      assert.match(table?.detailReason ?? '', reason);
      assert.equal({ ...table, detailReason: null }, alone);
    }
  }
  assert.match(
    native('object.o', 'engine.dwo', 'dwarf5.so').tables[0]?.detailReason ?? '',
    /object\.o and 1 more, which/,
  );
  assert.throws(() => native('object.o', 'engine.dwo'), /no_symbols: lib\/object\.o: This is an object file/);
});

x('a file that is refused, or exceeds a limit, changes nothing for the files after it', async () => {
  const convert = (bytes: Buffer, limits?: { milliseconds: number; heapMegabytes: number }) => {
    const path = join(folder, randomUUID());
    writeFileSync(path, bytes);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const input = { path, originalName: 'App', release: '', matchKey: '', packages: [] };
    return runConversion({ kind: 'ios_dsym', sha256, input }, limits);
  };
  const failureOf = (converted: Promise<unknown>) => converted.then(String, ({ code }: { code: string }) => code);
  const first = await convert(ENGINE);
  assert.is(await failureOf(convert(Buffer.from('no symbols'))), 'not_recognized');
  assert.equal(await convert(ENGINE), first);
  assert.is(await failureOf(convert(ENGINE, { milliseconds: 1, heapMegabytes: 256 })), 'timeout');
  assert.equal(await convert(ENGINE), first);
  assert.equal(await Promise.all([convert(ENGINE), convert(ENGINE), convert(ENGINE)]), [first, first, first]);
});

x.run();
