import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isoTime } from '../../../../src/kernel/values/iso-time.js';
import { eventTimeAt, isTooFarAhead } from '../../../../src/modules/ingest/operations/event-time.js';

const fromBytes = (text: string): number => eventTimeAt(Buffer.from(text), 0, Buffer.byteLength(text));

const x = suite('event time');

x('reads what toISOString writes, from text and from bytes', () => {
  const date = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59Z'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(date, (at) => {
      assert.is(isoTime(at.toISOString()), at.getTime());
      assert.is(fromBytes(at.toISOString()), at.getTime());
    }),
    { numRuns: 2_000 },
  );
});

x('reads time zones, dates alone, and fractions of any length', () => {
  const noon = Date.UTC(2026, 0, 31, 12);
  for (const text of [
    '2026-01-31T12:00:00Z',
    '2026-01-31T14:00:00+02:00',
    '2026-01-31T06:30:00.000000-0530',
    '2026-01-31 12:00Z',
    '2026-01-31T12:00:00.0009Z',
    '2026-01-31T12:00:00',
    '2026-01-31T11:59:60Z',
    '2026-02-01T11:59:00+23:59',
  ])
    assert.is(fromBytes(text), noon, text);
  assert.is(fromBytes('2026-01-31'), Date.UTC(2026, 0, 31));
  assert.is(fromBytes('2026-01-31T24:00:00Z'), Date.UTC(2026, 1, 1));
});

x('refuses invalid times', () => {
  for (const text of [
    '',
    'yesterday',
    '1700000000',
    '2026-02-30T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-31T25:00:00Z',
    '2026-01-31T12:60:00Z',
    '2026-01-31T12:00:00+24:00',
    '2026-01-31T12:00:00+05:60',
    '2026-01-31T24:00:01Z',
    '2026-01-31T12:00:61Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+14:00',
    '9999-12-31T24:00:00Z',
    '9999-12-31T23:59:59-01:00',
  ])
    assert.ok(Number.isNaN(fromBytes(text)), text);
});

x('allows 23 hours ahead and no more', () => {
  assert.not(isTooFarAhead(23 * 3_600_000, 0));
  assert.ok(isTooFarAhead(23 * 3_600_000 + 1, 0));
});

x.run();
