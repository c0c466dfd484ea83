import fc from 'fast-check';
import type { ContractOperation, OpenApiContract, Parameter } from '../support/openapi/openapi-contract.js';
import { HOSTILE_BODIES, HOSTILE_HEADERS, HOSTILE_JSON, HOSTILE_TEXTS } from './hostile-values.js';
import { type KnownValues, valuesOf } from './json-arbitrary.js';

/** A request with one thing wrong with it. */
export interface HostileRequest {
  /** The operation, the place and the value, as in `post /api/v1/track: body .payload is 1e999`. */
  readonly what: string;
  readonly method: string;
  /** With its query, as sent over the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
  /** Name of one of the callers. */
  readonly caller: string;
}

const BOUNDARY = 'hostile-boundary';
const SITE = '@@here@@';
/** Number of generated bodies. The one with the most fields is made hostile. */
const SAMPLES = 20;

/** Every operation × every part of its request × every hostile value. The seed determines the rest of each request. */
export function hostileRequests(contract: OpenApiContract, known: KnownValues, seed: number): HostileRequest[] {
  return contract.operations.flatMap((operation) => {
    const usual = usualRequest(contract, known, operation, seed);
    return [
      ...parameterRequests(operation, usual),
      ...headerRequests(usual),
      ...fieldRequests(usual),
      ...bodyRequests(usual),
    ].map((request) => ({ ...request, what: `${operation.method} ${operation.path}: ${request.what}` }));
  });
}

/** A valid request for each operation. */
export function usualRequests(contract: OpenApiContract, known: KnownValues, seed: number): HostileRequest[] {
  return contract.operations.map((operation) => told(usualRequest(contract, known, operation, seed), 'as usual', {}));
}

interface Usual {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly caller: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly json: unknown;
  readonly mediaType: string | null;
}

function usualRequest(
  contract: OpenApiContract,
  known: KnownValues,
  operation: ContractOperation,
  seed: number,
): Usual {
  const { body, parameters, path, method } = operation;
  const values = Object.fromEntries(parameters.map((each) => [each.name, usualValue(known, path, each)]));
  return {
    method,
    path,
    headers: Object.fromEntries(
      parameters.filter((each) => each.in === 'header').map(({ name }) => [name, values[name] ?? '']),
    ),
    caller: callerOf(operation),
    parameters: values,
    json:
      body === null
        ? null
        : richest(fc.sample(valuesOf(contract, known, body.media.schema), { seed, numRuns: SAMPLES })),
    mediaType: body?.mediaType ?? null,
  };
}

function usualValue(known: KnownValues, path: string, { name, example, schema }: Parameter): string {
  const options = schema.enum as string[] | undefined;
  return String(known[`${path} ${name}`]?.[0] ?? known[name]?.[0] ?? example ?? options?.[0] ?? 'x');
}

function callerOf({ security }: ContractOperation): string {
  const schemes = security
    .flatMap((each) => Object.keys(each))
    .join(' ')
    .toLowerCase();
  if (schemes.includes('key')) return 'live';
  return schemes === '' ? 'nobody' : 'owner';
}

function richest(values: readonly unknown[]): unknown {
  return values.reduce((best, value) => (sitesOf(value).length > sitesOf(best).length ? value : best));
}

type Told = HostileRequest;

/** The usual request with some parts replaced. */
function told(
  usual: Usual,
  what: string,
  change: { parameters?: Record<string, string>; text?: string; body?: Buffer; headers?: Record<string, string> },
): Told {
  const parameters = { ...usual.parameters, ...change.parameters };
  const encoded = encodedBody(usual, change.text);
  const path = usual.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
  const query = Object.entries(parameters)
    .filter(([name]) => !usual.path.includes(`{${name}}`) && !(name in usual.headers))
    .map(([name, value]) => `${name}=${value}`);
  return {
    what,
    method: usual.method,
    path: query.length > 0 ? `${path}?${query.join('&')}` : path,
    headers: { ...usual.headers, ...encoded.headers, ...change.headers },
    body: change.body ?? encoded.bytes,
    caller: usual.caller,
  };
}

function encodedBody(
  { json, mediaType }: Usual,
  text?: string,
): { headers: Record<string, string>; bytes: Buffer | null } {
  if (mediaType === null) return { headers: {}, bytes: null };
  if (mediaType === 'multipart/form-data') {
    const type = `multipart/form-data; boundary=${BOUNDARY}`;
    return { headers: { 'content-type': type }, bytes: Buffer.from(text ?? form(json as Record<string, unknown>)) };
  }
  return { headers: { 'content-type': mediaType }, bytes: Buffer.from(text ?? JSON.stringify(json)) };
}

function parameterRequests({ parameters }: ContractOperation, usual: Usual): Told[] {
  return parameters
    .filter((each) => each.in !== 'header')
    .flatMap(({ name }) => [
      ...Object.entries(HOSTILE_TEXTS).map(([called, text]) =>
        told(usual, `${name} is ${called}`, { parameters: { [name]: text } }),
      ),
      told(usual, `${name} comes twice`, { parameters: { [name]: `${usual.parameters[name]}&${name}=x&${name}[]=y` } }),
    ]);
}

function headerRequests(usual: Usual): Told[] {
  return Object.entries(HOSTILE_HEADERS).flatMap(([name, values]) =>
    values.map((value) =>
      told(usual, `header ${name} is ${JSON.stringify(value.slice(0, 40))}`, { headers: { [name]: value } }),
    ),
  );
}

function fieldRequests(usual: Usual): Told[] {
  if (usual.mediaType === null) return [];
  const isForm = usual.mediaType === 'multipart/form-data';
  const write = (value: unknown): string => (isForm ? form(value as Record<string, unknown>) : JSON.stringify(value));
  return sitesOf(usual.json).flatMap((site) => {
    const place = `body ${site.join('.') || 'itself'}`;
    const marked = write(withSite(usual.json, site));
    return Object.entries(HOSTILE_JSON).map(([called, text]) =>
      told(usual, `${place} is ${called}`, { text: marked.replace(isForm ? SITE : `"${SITE}"`, () => text) }),
    );
  });
}

function bodyRequests(usual: Usual): Told[] {
  if (usual.mediaType === null) return [];
  const text =
    usual.mediaType === 'multipart/form-data'
      ? form(usual.json as Record<string, unknown>)
      : JSON.stringify(usual.json);
  return Object.entries(HOSTILE_BODIES).map(([called, encode]) => {
    const { headers, bytes } = encode(text);
    return told(usual, `body: ${called}`, { body: bytes, headers: { ...headers } });
  });
}

type Site = readonly (string | number)[];

/** The places in a value that hold a part of it, including the value itself. */
function sitesOf(value: unknown): Site[] {
  if (typeof value !== 'object' || value === null) return [[]];
  const entries = Array.isArray(value)
    ? value.slice(0, 1).map((each, at) => [at, each] as const)
    : Object.entries(value);
  return [[], ...entries.flatMap(([name, part]) => sitesOf(part).map((site) => [name, ...site]))];
}

function withSite(value: unknown, [first, ...rest]: Site): unknown {
  if (first === undefined) return SITE;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  copy[first] = withSite(copy[first], rest);
  return copy;
}

function form(fields: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(typeof fields === 'object' ? fields : { file: fields }).map(([name, value]) => {
    const file = name === 'file' ? '; filename="app.js.map"' : '';
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`;
  });
  return `${parts.join('')}--${BOUNDARY}--\r\n`;
}
