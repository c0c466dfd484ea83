import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { garbageReason, isSurelyNoGarbage } from '../../../../src/modules/ingest/operations/garbage-ids.js';

const x = suite('garbage ids');

const GARBAGE = [
  '',
  '   ',
  '\u00a0',
  'null',
  ' NULL ',
  'undefined',
  'None',
  'nil',
  'NaN',
  'true',
  'FALSE',
  '0',
  'anonymous',
  'Guest',
  'distinct_id',
  '[object Object]',
  '{}',
  '[]',
  '00000000-0000-0000-0000-000000000000',
  'gzip',
  'gzip, deflate, br',
  'gzip, deflate, br, zstd',
  'zstd, gzip',
  'zstd;q=1, br;q=0.9',
  'GZIP,br',
  '*/*',
  'identity',
  'gzip;q=1.0, identity',
  'GZIP;Q=1.0, *;q=0.5',
  'br ; q=0.9,gzip; q=1',
  '*;q=0',
  '*/*;q=0.8',
  'a'.repeat(401),
  '\u{1f600}'.repeat(401),
];
const VALID = [
  '7',
  '00',
  'nullable',
  'user-null',
  'brian',
  'gzip-user',
  'zstd',
  'zsuzsa',
  'zstd for me',
  'identity-1',
  'a'.repeat(400),
  '\u{1f600}'.repeat(400),
  '""',
  'gzip for me',
  '*',
  'gzip;q=high',
  'gzip;q=1.0;level=9',
  'text/html, */*',
  'text/html;q=0.9, */*;q=0.8',
  '\ufffd',
];

x('are the listed words, header tokens, empty and overlong ids', () => {
  for (const id of GARBAGE) assert.is.not(garbageReason(id), null, id.slice(0, 40));
});

x('are never cleared by the quick check of their first two bytes', () => {
  for (const id of GARBAGE) {
    const bytes = Buffer.from(` ${id}`);
    assert.not.ok(isSurelyNoGarbage(bytes, 1, bytes.length), id.slice(0, 40));
  }
});

x('exclude ids that merely contain such a word', () => {
  for (const id of VALID) assert.is(garbageReason(id), null, id.slice(0, 40));
});

x.run();
