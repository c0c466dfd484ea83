import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { convertBreakpad } from '../../src/symbols/breakpad/convert-breakpad.js';
import { openTable } from '../../src/symbols/table/open-table.js';

const x = suite('symbols of Breakpad');

const read = (...lines: string[]) => {
  const { table, hasDebugInfo } = convertBreakpad(Buffer.from(lines.join('\n')));
  return { table: openTable(table), hasDebugInfo };
};

const namesAt = (lines: string[], addresses: number[]) => {
  const { table } = read(...lines);
  return addresses.map((address) => table.lookup(address)[0]?.function ?? null);
};

x('a public symbol covers what follows up to the next function or symbol, and nothing after that function', () => {
  const lines = ['PUBLIC 800 0 boot', 'FUNC 1000 100 0 step', 'PUBLIC 1200 0 late', 'PUBLIC 1280 0 later'];
  assert.equal(
    namesAt(lines, [0x7ff, 0x800, 0xfff, 0x1000, 0x10ff, 0x1100, 0x1150, 0x11ff, 0x1200, 0x127f, 0x1280, 0x9000]),
    [null, 'boot', 'boot', 'step', 'step', null, null, null, 'late', 'late', 'later', 'later'],
  );
});

x('a public symbol inside a function covers the gap after it; one at its start does not', () => {
  const lines = [
    'FUNC 1000 100 0 step',
    'PUBLIC 1000 0 _step',
    'PUBLIC 1080 0 inner',
    'FUNC 2000 100 0 stop',
    'PUBLIC 2000 0 _stop',
  ];
  assert.equal(namesAt(lines, [0x1000, 0x1090, 0x1100, 0x1fff, 0x2000, 0x2100]), [
    'step',
    'step',
    'inner',
    'inner',
    'stop',
    null,
  ]);
});

x('a function that starts before its first line ends the public symbol before it', () => {
  const lines = ['PUBLIC 800 0 boot', 'FILE 0 a.c', 'FUNC 1000 100 0 step', '1010 10 5 0', 'FUNC 3000 10 0 stop'];
  assert.equal(namesAt(lines, [0xfff, 0x1004, 0x1010, 0x1020, 0x2000]), ['boot', null, 'step', null, null]);
});

x('names without lines do not count as debug information, so that better symbols are still requested', () => {
  const bare = read('FUNC 1000 100 0 step', 'PUBLIC 1200 0 late');
  assert.equal([bare.hasDebugInfo, bare.table.hasDebugInfo], [false, false]);
  const whole = read('FILE 0 a.c', 'FUNC 1000 100 0 step', '1000 100 5 0');
  assert.equal([whole.hasDebugInfo, whole.table.hasDebugInfo], [true, true]);
});

x.run();
