import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** Incompressible four-byte characters, the same in every run. */
export function unshrinkable(length: number): string {
  let state = length;
  const next = () => {
    state = (state * 48_271) % 2_147_483_647;
    return 0x10000 + (state % 0x8000);
  };
  return String.fromCodePoint(...Array.from({ length }, next));
}

/** Values that no field expects, by their name in the report; as JSON text, because some have no JavaScript value. */
export const HOSTILE_JSON: Readonly<Record<string, string>> = {
  null: 'null',
  true: 'true',
  'an empty text': '""',
  'a blank': '" "',
  NUL: '"a\\u0000b"',
  'a lone surrogate': '"a\\ud800b"',
  'a reversed pair': '"\\udc00\\ud800"',
  'right to left': '"\\u202e\\ufeff"',
  'a text of 5,000': `"${'x'.repeat(5_000)}"`,
  'a text of 70,000': `"${'é'.repeat(35_000)}"`,
  'a text of 700 that does not shrink': JSON.stringify(unshrinkable(700)),
  'a text of 3,000 that does not shrink': JSON.stringify(unshrinkable(3_000)),
  'an SQL text': `"'; drop table flag; --"`,
  'a path': '"../../etc/passwd"',
  'a template': '"{{constructor}} %s %00 #{1}"',
  'a year 0': '"0000-01-01T00:00:00Z"',
  'a year 300000': '"+300000-01-01T00:00:00Z"',
  'no date': '"2026-02-30T25:61:61Z"',
  zero: '0',
  'minus zero': '-0',
  'minus one': '-1',
  half: '0.5',
  '2^31': '2147483648',
  '2^53': '9007199254740993',
  '2^64': '18446744073709551616',
  '1e308': '1e308',
  '1e999': '1e999',
  '1e-999': '1e-999',
  '400 digits': '9'.repeat(400),
  'an empty list': '[]',
  'a list of lists': '[[[]],[null]]',
  'a list of 3,000': `[${Array.from({ length: 3_000 }, (_, n) => n).join()}]`,
  'an empty object': '{}',
  __proto__: '{"__proto__":{"admin":true},"constructor":{"prototype":1},"toString":1,"hasOwnProperty":2}',
  'an object with bad names': '{"":1,"a\\u0000":2,"\\ud800":3,"$ref":"#","length":-1,"then":"x"}',
  'the same name twice': '{"a":1,"a":{"b":2}}',
  '300 deep': deep(300),
  '5,000 deep': deep(5_000),
  '5,000 deep objects': `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`,
  'an object of 3,000': `{${Array.from({ length: 3_000 }, (_, n) => `"k${n}":${n}`).join()}}`,
};

/** Texts for part of a path or for a parameter value, as sent over the wire. */
export const HOSTILE_TEXTS: Readonly<Record<string, string>> = {
  nothing: '',
  NUL: '%00',
  'half an escape': '%',
  'no escape': '%zz',
  'no UTF-8': '%ff%fe',
  'a surrogate': '%ED%A0%80',
  'a slash': '%2F..%2F',
  'a line break': '%0d%0aset-cookie:%20a=b',
  '3,000 long': 'x'.repeat(3_000),
  emoji: encodeURIComponent('🏴‍☠️'),
  quotes: '%22%27%3B--',
  null: 'null',
  'minus one': '-1',
  '1e400': '1e400',
  '2^63': '9223372036854775808',
  NaN: 'NaN',
  list: 'a,b,,c',
  __proto__: '__proto__',
  'year 0': '0000-01-01T00:00:00Z',
  'a uuid': '00000000-0000-0000-0000-000000000000',
  prefixed: 'sym_%00',
};

/** Headers that clients get wrong, each with values. */
export const HOSTILE_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'x-request-id': ['', ' ', 'a\tb', '<script>', 'x'.repeat(300), '../..', 'é', '{"a":1}'],
  'if-none-match': ['*', '""', 'W/', '"'.repeat(99), ',,,,', 'a'.repeat(3_000), '"a", "b", W/"c"', 'é'],
  'if-match': ['*', '"nothing"', ','],
  'if-modified-since': ['never', '0', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  range: ['bytes=0-0', 'bytes=-1', 'bytes=5-1', 'bytes=0-99999999999999999999', 'bytes=0-1,2-3', 'bytes=a', 'x'],
  accept: ['', 'text/html', '*/*;q=-1', 'application/json;q=0', 'x'.repeat(3_000)],
  'accept-encoding': ['', 'gzip;q=0', 'br;q=1e999', '*;q=0', 'x,'.repeat(500)],
  'accept-language': ['*', 'xx-'.repeat(500), 'é'],
  origin: ['null', '', 'https://a.example', 'javascript:1', 'https://é.example', 'x'.repeat(3_000)],
  'access-control-request-method': ['', 'BREW'],
  'content-type': [
    '',
    'x',
    'application/json; charset=utf-16',
    'application/json; charset="',
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    `multipart/form-data; boundary=${'b'.repeat(300)}`,
    'application/graphql',
    'x'.repeat(3_000),
  ],
  'content-encoding': ['', 'identity', 'gzip', 'deflate', 'br', 'zstd', 'gzip, gzip', 'x'.repeat(3_000), 'GZIP'],
  'content-language': ['é'],
  expect: ['100-continue', '200-ok'],
  authorization: [
    '',
    'Bearer',
    'Bearer ',
    'Bearer a.b.c',
    'Basic Og==',
    `Bearer ${'a'.repeat(9_000)}`,
    'Bearer é',
    'Digest',
  ],
  'x-api-key': ['', ' ', 'sk_live_', 'sk_live_é', 'x'.repeat(9_000), '%00'],
  'x-project-id': ['', 'x', '00000000-0000-0000-0000-000000000000', 'x'.repeat(3_000), 'é'],
  'idempotency-key': ['', 'x', 'x'.repeat(3_000), 'é', 'a\tb'],
  traceparent: ['00-0-0-0', `00-${'f'.repeat(32)}-${'f'.repeat(16)}-ff`, 'x'.repeat(3_000)],
  'x-forwarded-for': ['', '1.2.3.4, ::1, x', '999.999.999.999', 'x'.repeat(3_000), ','.repeat(300)],
  'x-forwarded-proto': ['gopher'],
  'x-http-method-override': ['DELETE'],
  cookie: ['a=b; '.repeat(500), 'é'],
  host: ['', 'x:99999999', 'a b', '[::1', 'é'],
  te: ['trailers, deflate'],
  via: ['1.1 '.repeat(500)],
};

/** Ways to send a body that is not what it claims to be. */
export const HOSTILE_BODIES: Readonly<Record<string, (text: string) => HostileBody>> = {
  nothing: () => body(''),
  'a blank': () => body(' \n'),
  half: (text) => body(text.slice(0, text.length >> 1)),
  'more behind it': (text) => body(`${text}{"a":1}`),
  'a comment': (text) => body(`/* a */${text}`),
  'single quotes': (text) => body(text.replaceAll('"', "'")),
  NaN: () => body('{"a":NaN,"b":Infinity,"c":undefined}'),
  'a byte order mark': (text) => body(`\ufeff${text}`),
  'no UTF-8': (text) => body(Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])])),
  'UTF-16': (text) => body(Buffer.from(text, 'utf16le')),
  NUL: (text) => body(`${text}\0`),
  'names twice': (text) => body(text.replace(/"(\w+)":/g, '"$1":null,"$1":')),
  '__proto__ first': (text) => body(text.replace(/^\{/, '{"__proto__":{"distinct_id":"x"},')),
  'a list of it': (text) => body(`[${text}]`),
  'a text of it': (text) => body(JSON.stringify(text)),
  '100,000 deep': () => body(deep(100_000)),
  '100,000 unclosed': () => body('[{"a":'.repeat(100_000)),
  gzip: (text) => body(gzipSync(text), 'gzip'),
  deflate: (text) => body(deflateSync(text), 'deflate'),
  'raw deflate': (text) => body(deflateRawSync(text), 'deflate'),
  br: (text) => body(brotliCompressSync(text), 'br'),
  'gzip twice': (text) => body(gzipSync(gzipSync(text)), 'gzip, gzip'),
  'gzip, cut': (text) => body(gzipSync(text).subarray(0, -6), 'gzip'),
  'gzip, damaged': (text) => body(damaged(gzipSync(text)), 'gzip'),
  'gzip, more behind it': (text) => body(Buffer.concat([gzipSync(text), Buffer.from('more')]), 'gzip'),
  'two gzips': (text) => body(Buffer.concat([gzipSync(text), gzipSync(text)]), 'gzip'),
  'no gzip': (text) => body(text, 'gzip'),
  'no deflate': (text) => body(text, 'deflate'),
  'no br': (text) => body(text, 'br'),
  'br, cut': (text) => body(brotliCompressSync(text).subarray(0, -2), 'br'),
  'an unknown encoding': (text) => body(text, 'zstd'),
  'identity that is gzip': (text) => body(gzipSync(text)),
};

export interface HostileBody {
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
}

function body(bytes: string | Buffer, encoding?: string): HostileBody {
  return { bytes: Buffer.from(bytes), headers: encoding === undefined ? {} : { 'content-encoding': encoding } };
}

function damaged(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const at = copy.length >> 1;
  copy[at] = (copy[at] ?? 0) ^ 0xff;
  return copy;
}

function deep(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}
