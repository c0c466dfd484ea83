import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertDsym } from '../../src/symbols/conversion/convert-dsym.js';
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
