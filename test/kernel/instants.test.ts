import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { instantOf } from '../../src/kernel/database/instants.js';

const instants = suite('instants of the database');

for (const [written, text] of [
  ['2026-11-21 07:47:52.123+00', '2026-11-21T07:47:52.123Z'],
  ['2026-11-21 07:47:52.12+00', '2026-11-21T07:47:52.120Z'],
  ['2026-11-21 07:47:52.123999+00', '2026-11-21T07:47:52.123Z'],
  ['2026-11-21 07:47:52+00', '2026-11-21T07:47:52.000Z'],
  ['2026-11-21T07:47:52.5+00:00', '2026-11-21T07:47:52.500Z'],
  ['2026-11-21 09:47:52.123+02', '2026-11-21T07:47:52.123Z'],
  ['2026-11-21T02:17:52.123-05:30', '2026-11-21T07:47:52.123Z'],
  ['12026-11-21 07:47:52+00', '+012026-11-21T07:47:52.000Z'],
] as const) {
  instants(`${written} is ${text}`, () => assert.is(instantOf(written).toISOString(), text));
}

instants.run();
