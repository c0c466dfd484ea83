import { gzipSync } from 'node:zlib';
import fc, { type Arbitrary } from 'fast-check';
import type { ContractOperation, OpenApiContract, Parameter } from '../support/openapi/openapi-contract.js';
import { junk, type KnownValues, mutated, valuesOf } from './json-arbitrary.js';

/** A request as sent, except for the sender. */
export interface FuzzRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Name of one of the callers. */
  readonly caller: string;
}

const BOUNDARY = 'fuzz-boundary';
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const CONTENT_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/json; charset=utf-16',
  'x',
];
const ENTITY_TAGS = ['*', '""', '"a", W/"b"', 'W/', '"'.repeat(50), ',,,,', 'a'.repeat(3_000)];

/** Requests generated from the document: most of them as documented, others with errors in one or more places. */
export function restRequests(
  contract: OpenApiContract,
  known: KnownValues,
  callers: readonly string[],
): Arbitrary<FuzzRequest> {
  const requests = contract.operations.map((operation) => requestOf(contract, known, operation));
  return fc
    .tuple(fc.oneof(...requests), fc.constantFrom(...callers))
    .map(([request, caller]) => ({ ...request, caller }));
}

type Anonymous = Omit<FuzzRequest, 'caller'>;

function requestOf(contract: OpenApiContract, known: KnownValues, operation: ContractOperation): Arbitrary<Anonymous> {
  return fc
    .record({
      method: often(fc.constant(operation.method), fc.constantFrom(...METHODS), 20),
      path: pathOf(known, operation),
      query: queryOf(known, operation),
      headers: headersOf(operation),
      body: bodyOf(contract, known, operation),
    })
    .map(({ method, path, query, headers, body }) => ({
      method,
      path: `${path}${query}`,
      headers: { ...headers, ...(body?.headers ?? {}) },
      body: ['GET', 'HEAD'].includes(method) ? null : (body?.bytes ?? null),
    }));
}

/** Nearly always the first; the other once in `odds`. */
function often<T>(usual: Arbitrary<T>, seldom: Arbitrary<T>, odds: number): Arbitrary<T> {
  return fc.oneof({ weight: odds - 1, arbitrary: usual }, { weight: 1, arbitrary: seldom });
}

function pathOf(known: KnownValues, { path, parameters }: ContractOperation): Arbitrary<string> {
  const names = parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  const parts = names.map((name) =>
    often(fc.constantFrom(...(known[`${path} ${name}`] ?? known[name] ?? ['none'])), junkSegment, 4),
  );
  return fc
    .tuple(...parts)
    .map((values) => path.replace(/\{(\w+)\}/g, (_, name: string) => values[names.indexOf(name)] ?? ''));
}

const junkSegment: Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '%00',
    '%ff',
    '%zz',
    '%',
    '%2e%2e',
    '%2F',
    'psv_',
    'x'.repeat(8_000),
    '\u{1f3f4}',
    '0',
    'null',
    '%ED%A0%80',
  ),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);

function queryOf(known: KnownValues, { parameters }: ContractOperation): Arbitrary<string> {
  const fields = parameters.filter((each) => each.in === 'query').map((each) => queryPart(known, each));
  const extra = often(
    fc.constant<string[]>([]),
    fc.constantFrom(['a=1', 'b'], ['%zz=%', '&&'], ['environment=%00'], ['x[]=1']),
    6,
  );
  return fc.tuple(extra, ...fields).map((parts) => {
    const text = parts.flat().join('&');
    return text === '' ? '' : `?${text}`;
  });
}

function queryPart(known: KnownValues, { name, required, example, schema }: Parameter): Arbitrary<string[]> {
  const likely = [
    ...(known[name] ?? []),
    ...(example === undefined ? [] : [String(example)]),
    ...((schema.enum ?? []) as string[]),
  ];
  const values = often(likely.length > 0 ? fc.constantFrom(...likely) : fc.string(), junk.map(String), 5);
  const one = values.map((value) => [`${name}=${encodeURIComponent(value.toWellFormed())}`]);
  const none = fc.constant<string[]>([]);
  const twice = fc.tuple(one, one).map((both) => both.flat());
  return fc.oneof(
    { weight: 12, arbitrary: one },
    { weight: required ? 1 : 6, arbitrary: none },
    { weight: 1, arbitrary: twice },
  );
}

function headersOf({ parameters }: ContractOperation): Arbitrary<Record<string, string>> {
  const named = parameters
    .filter((each) => each.in === 'header')
    .map(({ name, example }) => {
      const values = fc.constantFrom(
        String(example ?? 'x'),
        ...(name === 'if-none-match' ? ENTITY_TAGS : ['', 'a b', 'é', '0']),
      );
      return fc.option(
        values.map((value): Record<string, string> => ({ [name]: value })),
        { nil: {} },
      );
    });
  const requestId = fc.constantFrom<Record<string, string>>(
    {},
    { 'x-request-id': 'fuzz_12345678' },
    { 'x-request-id': 'no <id>' },
  );
  const origin = often(
    fc.constant<Record<string, string>>({}),
    fc.constantFrom({ origin: 'https://a.example' }, { origin: 'null' }),
    6,
  );
  return fc.tuple(requestId, origin, ...named).map((parts) => Object.assign({}, ...parts) as Record<string, string>);
}

interface Encoded {
  readonly headers: Record<string, string>;
  readonly bytes: Uint8Array;
}

function bodyOf(contract: OpenApiContract, known: KnownValues, { body }: ContractOperation): Arbitrary<Encoded | null> {
  if (body === null) return fc.constant(null);
  const { mediaType, media } = body;
  const valid = valuesOf(contract, known, media.schema);
  const values = fc.oneof(
    { weight: 5, arbitrary: valid },
    { weight: 4, arbitrary: mutated(valid) },
    { weight: 1, arbitrary: junk },
  );
  if (mediaType === 'multipart/form-data') return values.map(form);
  const type = often(fc.constant(mediaType), fc.constantFrom(...CONTENT_TYPES), 10);
  return fc
    .tuple(values, type, often(fc.constant('plain'), fc.constantFrom(...Object.keys(ENCODERS)), 8))
    .map(([value, contentType, how]) => {
      const encoded = (ENCODERS[how] as (text: string) => Encoded)(JSON.stringify(value) ?? '');
      return { headers: { 'content-type': contentType, ...encoded.headers }, bytes: encoded.bytes };
    });
}

const plain = (bytes: Uint8Array, headers: Record<string, string> = {}): Encoded => ({ headers, bytes });

/** Ways to send a JSON text. */
const ENCODERS: Readonly<Record<string, (text: string) => Encoded>> = {
  plain: (text) => plain(Buffer.from(text)),
  cut: (text) => plain(Buffer.from(text.slice(0, text.length >> 1))),
  empty: () => plain(Buffer.alloc(0)),
  'not UTF-8': (text) => plain(Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])])),
  'byte order mark': (text) => plain(Buffer.from(`\ufeff${text}`)),
  gzip: (text) => plain(gzipSync(text), { 'content-encoding': 'gzip' }),
  'gzip cut': (text) => plain(gzipSync(text).subarray(0, -4), { 'content-encoding': 'gzip' }),
  'no gzip': (text) => plain(Buffer.from(text), { 'content-encoding': 'gzip' }),
  'unknown encoding': (text) => plain(Buffer.from(text), { 'content-encoding': 'zstd' }),
  'number too large': () =>
    plain(Buffer.from(`{"operations":${'9'.repeat(400)},"answers":1e999,"properties":-1e-999}`)),
  'same key twice': (text) => plain(Buffer.from(text.replace(/^\{/, '{"a":1,"a":2,'))),
};

function form(value: unknown): Encoded {
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const parts = fields.map(([name, field]) => {
    const file = name === 'file' ? '; filename="app.js.map"' : '';
    const text = typeof field === 'string' ? field : (JSON.stringify(field) ?? '');
    return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name.replaceAll(/["\r\n]/g, '_')}"${file}\r\n\r\n${text}\r\n`;
  });
  const bytes = Buffer.from(`${parts.join('')}--${BOUNDARY}--\r\n`);
  return plain(bytes, { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` });
}
