import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { bufferSource } from '../../src/symbols/archive/byte-source.js';
import { listZip } from '../../src/symbols/archive/zip.js';
import { SymbolFileError } from '../../src/symbols/symbol-file-error.js';
import { makeZip, type ZipMember } from './support/make-zip.js';

const text = (name: string, more: Partial<ZipMember> = {}): ZipMember => ({
  name,
  data: Buffer.from('symbols'),
  ...more,
});
const list = (members: ZipMember[]) => listZip(bufferSource(makeZip(members)));
const refused = (code: string) => (error: unknown) => error instanceof SymbolFileError && error.code === code;

const x = suite('zip');

x('lists files at any depth, without folders, links and what macOS adds', () => {
  const files = list([
    text('a.dSYM/Contents/Resources/DWARF/a'),
    text('deep/er/b.dSYM/Contents/Resources/DWARF/b'),
    text('deep/'),
    text('__MACOSX/a.dSYM/._a'),
    text('._c'),
    text('.DS_Store'),
    text('link', { unixMode: 0o120777 }),
  ]);
  assert.equal(
    files.map((file) => file.name),
    ['a.dSYM/Contents/Resources/DWARF/a', 'deep/er/b.dSYM/Contents/Resources/DWARF/b'],
  );
  assert.is(files[0]?.read().toString(), 'symbols');
});

for (const name of ['../up', 'a/../../up', '/absolute', 'c:\\windows', 'a\\..\\up', 'nul\0name']) {
  x(`rejects the name ${JSON.stringify(name)}`, () => {
    assert.throws(() => list([text(name)]), refused('unsafe_archive'));
  });
}

x('rejects duplicate names and entries that share bytes', () => {
  assert.throws(() => list([text('a'), text('a')]), refused('unsafe_archive'));
  assert.throws(() => list([text('a'), text('b', { sharesFirst: true })]), refused('unsafe_archive'));
});

x('rejects a file that inflates to a different size than stated', () => {
  const [file] = list([text('a', { claimedSize: 3 })]);
  assert.throws(() => file?.read(), refused('unsafe_archive'));
});

x('rejects a bomb before inflating anything', () => {
  assert.throws(() => list([text('a', { claimedSize: 1_500_000_000 })]), refused('unsafe_archive'));
});

x('rejects truncated files and files that are not archives', () => {
  assert.throws(() => listZip(bufferSource(Buffer.from('not a zip, but long enough'))), refused('not_recognized'));
  const whole = makeZip([text('a')]);
  const broken = Buffer.from(whole);
  broken.writeUInt32LE(whole.length * 2, whole.length - 6);
  assert.throws(() => listZip(bufferSource(broken)), refused('unsafe_archive'));
});

x.run();
