import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Shape } from '../../../../src/kernel/values/json-bytes.js';
import { FIELD } from '../../../../src/modules/ingest/operations/payload-fields.js';
import { type BatchRefusal, BatchScanner } from '../../../../src/modules/ingest/scan/batch-scanner.js';
import { storableJsonText } from '../../../../src/modules/ingest/scan/storable-json-text.js';

interface Seen {
  type: string;
  distinctId: string;
  properties: unknown;
}

const collect = (seen: Seen[]) =>
  new BatchScanner({
    operation: (kind, fields) => {
      const absent = fields.shape(FIELD.properties) === Shape.absent;
      const properties = absent ? undefined : JSON.parse(storableJsonText(fields.raw(FIELD.properties)));
      seen.push({ type: kind.type, distinctId: fields.text(FIELD.distinct_id), properties });
    },
    restart: () => seen.splice(0),
  });

const scan = (body: string | Buffer): { refusal: BatchRefusal | null; seen: Seen[] } => {
  const seen: Seen[] = [];
  return { refusal: collect(seen).scan(Buffer.from(body)), seen };
};

const stream = (body: Buffer, sizes: readonly number[]): { refusal: BatchRefusal | null; seen: Seen[] } => {
  const seen: Seen[] = [];
  const scanner = collect(seen);
  for (let at = 0, i = 0; at < body.length; i++) {
    const size = sizes[i % sizes.length] as number;
    scanner.push(body.subarray(at, at + size));
    at += size;
  }
  return { refusal: scanner.finish(), seen };
};

const track = (payload: string): string => `{"operations":[{"type":"track","payload":${payload}}]}`;
const code = (body: string | Buffer): string | undefined => scan(body).refusal?.code;

const x = suite('batch scanner');

x('reads every JSON value as JSON.parse does, whole and cut at any byte', () => {
  const value = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }));
  fc.assert(
    fc.property(value, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (properties, sizes) => {
      const text = JSON.stringify({
        operations: [
          { type: 'track', payload: { event_name: 'e', distinct_id: 'a', properties } },
          { payload: { properties, distinct_id: 'b' }, type: 'people' },
        ],
      });
      const expected = JSON.parse(storableJsonText(JSON.stringify(properties)));
      const whole = scan(text);
      assert.equal(scan(`\ufeff${text}`), whole);
      assert.equal(stream(Buffer.from(`\ufeff${text}`), sizes), whole);
      assert.is(whole.refusal, null);
      assert.equal(whole.seen, [
        { type: 'track', distinctId: 'a', properties: expected },
        { type: 'people', distinctId: 'b', properties: expected },
      ]);
      assert.equal(stream(Buffer.from(text), sizes), whole);
    }),
    { numRuns: 150 },
  );
});

x('accepts and refuses the same texts as JSON.parse', () => {
  const pieces = [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '\\',
    '\\u00',
    'e',
    '1',
    '-',
    '.',
    '0',
    'true',
    'nul',
    'null',
    ' ',
    '\t',
    '\n',
    'E+2',
    '\u0001',
    'ü',
  ];
  const parses = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 9 }), (parts) => {
      const text = `{"x":${parts.join('')}}`;
      assert.is(code(text), parses(text) ? 'no_operations' : 'invalid_body', text);
    }),
    { numRuns: 3_000 },
  );
});

x('refuses in this order: form, operations, types, payloads', () => {
  assert.is(code('{"operations":[{"type":"track","payload":1},{"type":"zzz","payload":{}}]}'), 'unknown_type');
  assert.is(code('{"operations":[{"type":"zzz","payload":{}}]'), 'invalid_body');
  assert.is(code('{"operations":[{"type":"track","payload":1}]}x'), 'invalid_body');
  assert.is(code('{"operations":[1]}'), 'unknown_type');
  for (const operations of ['[]', 'null', '"x"', '{}', '7'])
    assert.is(code(`{"operations":${operations}}`), 'no_operations');
  for (const body of ['', '[]', '"x"', 'null', '1', '\ufeff', '\ufeff\ufeff{}', ' \ufeff{}', '\ufefe{}'])
    assert.is(code(body), 'invalid_body', body);
  assert.equal(scan('{"operations":[{"type":"people","payload":{}},{"type":"track","payload":{}}]}').refusal, {
    code: 'invalid_payload',
    type: 'people',
    index: 0,
  });
});

x('requires the fields of each kind with their types', () => {
  const good = [
    '{"event_name":"e","distinct_id":"u"}',
    '{"event_name":"e","distinct_id":"u","timestamp":"2026-01-31","extra":[]}',
  ];
  const bad = [
    '{"distinct_id":"u"}',
    '{"event_name":"","distinct_id":"u"}',
    '{"event_name":"e","distinct_id":1}',
    '{"event_name":"e","distinct_id":"u","properties":[]}',
    '{"event_name":"e","distinct_id":"u","properties":null}',
    '{"event_name":"e","distinct_id":"u","timestamp":"yesterday"}',
    '{"event_name":"e","distinct_id":"u","insert_id":5}',
    '[]',
  ];
  for (const payload of good) assert.is(code(track(payload)), undefined, payload);
  for (const payload of bad) assert.is(code(track(payload)), 'invalid_payload', payload);
});

x('uses the last of duplicate keys, and accepts keys written with escapes', () => {
  const body = track(
    '{"event_name":1,"\\u0065vent_name":"e","distinct_id":"a","distinct_id":"b","properties":{"p":1,"p":2}}',
  );
  assert.equal(scan(body).seen, [{ type: 'track', distinctId: 'b', properties: { p: 2 } }]);
  const twice =
    '{"operations":[{"type":"zzz"}],"\\u006fperations":[{"\\u0074ype":"alias","payload":{"alias_id":"a","distinct_id":"k"}}]}';
  assert.equal(scan(twice), { refusal: null, seen: [{ type: 'alias', distinctId: 'k', properties: undefined }] });
  assert.is(
    code('{"operations":[{"type":"people","payload":{"distinct_id":"u"}}],"operations":null}'),
    'no_operations',
  );
});

x('keeps nesting within 256 levels and bytes within UTF-8', () => {
  const nested = (depth: number): string =>
    track(`{"event_name":"e","distinct_id":"u","properties":{"p":${'['.repeat(depth)}${']'.repeat(depth)}}}`);
  assert.is(code(nested(251)), undefined);
  assert.is(code(nested(252)), 'invalid_body');
  assert.is(code(nested(100_000)), 'invalid_body');
  for (const bytes of [[0xc0, 0xaf], [0x80], [0xf4, 0x90, 0x80, 0x80], [0xed, 0xa0, 0x80], [0xc3]]) {
    const body = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(bytes), Buffer.from('"}')]);
    assert.is(code(body), 'invalid_body');
    assert.is(stream(body, [1]).refusal?.code, 'invalid_body');
  }
});

x('makes text storable: U+0000, lone surrogates, numbers beyond a double', () => {
  const body = track(
    '{"event_name":"e","distinct_id":"a\\u0000b\\ud800","properties":{"\\u0000":"\\udc00x","n":1e400,"m":-1e-5,"pair":"\\ud83d\\ude00","t":"\\\\u0000 1e400"}}',
  );
  assert.equal(scan(body).seen, [
    {
      type: 'track',
      distinctId: 'a\ufffdb\ufffd',
      properties: { '\ufffd': '\ufffdx', n: null, m: -1e-5, pair: '\u{1f600}', t: '\\u0000 1e400' },
    },
  ]);
});

x.run();
