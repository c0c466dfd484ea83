import { hash } from 'node:crypto';
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { PackedRecords } from '../../../src/kernel/memory/packed-records.js';

const x = suite('packed records');

const keyOf = (name: number | string): string => hash('sha256', `${name}`, 'binary');
const found = (records: PackedRecords, name: number | string): string | null => {
  const record = records.find(keyOf(name));
  return record ? record.bytes.toString('latin1', record.from, record.to) : null;
};

/** A random operation on the records. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('put' as const), name: fc.nat(60), length: fc.nat(300) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('find' as const), name: fc.nat(60) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('delete' as const), name: fc.nat(60) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('deleteWhere' as const), length: fc.nat(300) }) },
);

x('return the last value or nothing, and tickets never refer to anything else, whatever is evicted', () => {
  let forgotten = 0;
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 200, maxLength: 600 }),
      fc.constantFrom(3_000, 6_000, 2 ** 16),
      (steps, bytes) => {
        const records = new PackedRecords(bytes);
        const put = new Map<number, { text: string; ticket: number }>();
        const stale: number[] = [];
        let turn = 0;
        const retire = (name: number) => {
          const before = put.get(name);
          if (before) stale.push(before.ticket);
          put.delete(name);
        };
        for (const one of steps) {
          turn += 1;
          if (one.kind === 'deleteWhere') {
            records.deleteWhere(({ from, to }) => to - from === one.length);
            for (const [name, { text }] of put) if (text.length === one.length) retire(name);
          } else {
            retire(one.kind === 'find' ? -1 : one.name);
            if (one.kind === 'delete') records.delete(keyOf(one.name));
            if (one.kind === 'put') {
              const text = `${turn} `.repeat(300).slice(0, one.length);
              put.set(one.name, { text, ticket: records.put(keyOf(one.name), Buffer.from(text, 'latin1')) });
              assert.is(found(records, one.name), text, 'a value just put can be read');
            }
          }
          const name = 'name' in one ? one.name : 0;
          const text = found(records, name);
          if (text !== null) assert.is(text, put.get(name)?.text);
          else if (put.has(name)) forgotten += 1;
        }
        let there = 0;
        for (const [name, { text, ticket }] of put) {
          const stands = records.stands(ticket);
          const now = found(records, name);
          if (now !== null) {
            there += 1;
            assert.is(now, text);
            assert.is(stands, records.find(keyOf(name))?.ticket === ticket);
          } else assert.is(stands, false);
        }
        assert.is(records.size, there);
        if (bytes === 2 ** 16) assert.is(there, put.size, 'nothing is evicted');
        for (const ticket of stale) assert.is(records.stands(ticket), false);
      },
    ),
    { seed: 18, numRuns: 60 },
  );
  assert.ok(forgotten > 100, `${forgotten} evicted`);
});

x('stay within their memory limit, and keep what is in use', () => {
  const bytes = 2 ** 20;
  const records = new PackedRecords(bytes);
  const record = Buffer.alloc(100, 'r');
  for (let name = 0; name < 50_000; name += 1) {
    records.put(keyOf(name), record);
    if (name % 10 === 0) found(records, 'first');
    else if (name === 1) records.put(keyOf('first'), record);
  }
  // Each takes 120 bytes, plus at least 4 for its slot.
  assert.ok(records.size > 0.8 * (bytes / 120) && records.size < bytes / 120, `${records.size}`);
  assert.ok(found(records, 'first') && found(records, 49_999));
  assert.is(found(records, 1), null);
});

x('of a few bytes are bounded by the number of slots', () => {
  const records = new PackedRecords(2 ** 16);
  for (let name = 0; name < 20_000; name += 1) records.put(keyOf(name), Buffer.alloc(0));
  assert.ok(records.size > 300 && records.size < 1_024, `${records.size}`);
  assert.is(found(records, 19_999), '');
});

x('that are too large are not stored, and the previous record of the key is removed', () => {
  const records = new PackedRecords(2 ** 16);
  records.put(keyOf('a'), Buffer.from('small'));
  assert.is(records.put(keyOf('a'), Buffer.alloc(2_000)), -1);
  assert.is(found(records, 'a'), null);
  assert.is(records.stands(-1), false);
});

x('are gone after a clear, and so are their tickets', () => {
  const records = new PackedRecords(2 ** 16);
  const ticket = records.put(keyOf('a'), Buffer.from('a'));
  records.clear();
  assert.equal([records.stands(ticket), found(records, 'a'), records.size], [false, null, 0]);
  records.put(keyOf('b'), Buffer.from('b'));
  assert.equal([records.stands(ticket), found(records, 'b')], [false, 'b']);
});

x.run();
