import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { instantOf, isoText } from '../../src/kernel/database/instants.js';

const instants = suite('instants of the database');

for (const [written, text] of [
  ['2026-11-21 07:47:52.123+00', '2026-11-21T07:47:52.123Z'],
  ['2026-11-21 07:47:52.12+00', '2026-11-21T07:47:52.120Z'],
  ['2026-11-21 07:47:52.123999+00', '2026-11-21T07:47:52.123Z'],
  ['2026-11-21 07:47:52+00', '2026-11-21T07:47:52.000Z'],
  ['2026-11-21T07:47:52.5+00:00', '2026-11-21T07:47:52.500Z'],
  ['2026-11-21 09:47:52.123+02', '2026-11-21T07:47:52.123Z'],
  ['2026-11-21T02:17:52.123-05:30', '2026-11-21T07:47:52.123Z'],
  ['0099-11-21 07:47:52+00', '0099-11-21T07:47:52.000Z'],
  ['0044-03-15 07:47:52.5+00 BC', '-000043-03-15T07:47:52.500Z'],
  ['12026-11-21 07:47:52+00', '+012026-11-21T07:47:52.000Z'],
] as const) {
  instants(`${written} is ${text}`, () => assert.is(instantOf(written).toISOString(), text));
}

instants('are written as JavaScript writes them', () => {
  const dates = fc.oneof(
    fc.date({ noInvalidDate: true }),
    fc.date({ noInvalidDate: true, min: new Date('1999-12-31T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z') }),
  );
  fc.assert(
    fc.property(dates, (date) => assert.is(isoText(date), date.toISOString())),
    { numRuns: 1_000 },
  );
});

instants.run();
