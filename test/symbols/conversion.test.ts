import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertDsym } from '../../src/symbols/conversion/convert-dsym.js';
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

x.run();
