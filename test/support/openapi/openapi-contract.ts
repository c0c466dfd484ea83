import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface ResponseObject {
  readonly headers?: Readonly<Record<string, { readonly schema: Schema; readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, Media>>;
}

/** An operation in the document with its references to responses and headers resolved. */
export interface ContractOperation {
  readonly id: string;
  readonly method: string;
  /** As in the document, with `{name}`. */
  readonly path: string;
  /** Set on aliases: the operation they stand for. */
  readonly aliasOf: string | null;
  readonly tag: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly body: { readonly mediaType: string; readonly required: boolean; readonly media: Media } | null;
  readonly responses: ReadonlyMap<number, ResponseObject>;
}

/** An answer as sent over the wire. */
export interface WireAnswer {
  readonly method: string;
  readonly status: number;
  readonly header: (name: string) => string | null;
  /** Null if it is not known, as for a long download. */
  readonly body: string | null;
}

type Document = Readonly<Record<string, unknown>> & {
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: ContractOperation['security'];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, object>>;
  readonly 'x-alias-of'?: string;
}

const FILE = join(dirname(fileURLToPath(import.meta.url)), '../../../../docs/openapi.json');
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/;
const formats = { uuid: UUID, 'date-time': INSTANT, binary: true } as const;

/** `docs/openapi.json` for checking answers: objects may have only the documented fields. */
export class OpenApiContract {
  readonly document = JSON.parse(readFileSync(FILE, 'utf8')) as Document;
  readonly operations: readonly ContractOperation[];
  private readonly ajv = new Ajv2020({ strict: false, formats, allErrors: true });
  private readonly compiled = new Map<Schema, ValidateFunction>();
  private readonly patterns: readonly (readonly [RegExp, ContractOperation])[];

  constructor() {
    this.ajv.addSchema({ $id: 'openapi', ...(closed({ components: this.document.components }) as object) });
    this.operations = Object.entries(this.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => this.operationOf(method, path, operation)),
    );
    this.patterns = this.operations.map((operation) => {
      const source = operation.path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+');
      return [new RegExp(`^${source}$`), operation];
    });
  }

  /** The operation for a request; the path is without the query. */
  operationFor(method: string, path: string): ContractOperation | null {
    const asked = method === 'HEAD' ? 'GET' : method;
    return this.patterns.find(([pattern, each]) => each.method === asked && pattern.test(path))?.[1] ?? null;
  }

  /** The operation that an alias stands for; otherwise the operation itself. */
  primaryOf(operation: ContractOperation): ContractOperation {
    const { aliasOf, method } = operation;
    return this.operations.find((each) => each.path === aliasOf && each.method === method) ?? operation;
  }

  /** How an answer differs from the document; null if it does not. */
  faultOf(operation: ContractOperation, answer: WireAnswer): string | null {
    const response = operation.responses.get(answer.status);
    if (response === undefined) return `status ${answer.status} is not documented: ${short(answer.body)}`;
    return this.headerFault(response, answer) ?? this.bodyFault(response, answer);
  }

  /** Why a value does not match a schema in the document; null if it does. */
  schemaFault(schema: Schema, value: unknown): string | null {
    let validate = this.compiled.get(schema);
    if (validate === undefined) {
      validate = this.ajv.compile(absolute(closed(schema)) as Schema);
      this.compiled.set(schema, validate);
    }
    return validate(value) ? null : this.ajv.errorsText(validate.errors);
  }

  /** The target of a reference to `components`, or the object itself. */
  followed<T extends object>(object: T): T {
    if (!('$ref' in object)) return object;
    const steps = String(object.$ref).slice(2).split('/');
    return steps.reduce<unknown>((node, step) => (node as Schema)[step], this.document) as T;
  }

  private headerFault({ headers = {} }: ResponseObject, answer: WireAnswer): string | null {
    for (const [name, { schema, required }] of Object.entries(headers)) {
      const value = answer.header(name);
      if (value === null && required) return `header ${name} is missing on ${answer.status}`;
      const fault = value === null ? null : this.schemaFault(schema, value);
      if (fault !== null) return `header ${name}: ${value} ${fault}`;
    }
    return null;
  }

  private bodyFault({ content }: ResponseObject, { method, status, header, body }: WireAnswer): string | null {
    if (method === 'HEAD' || body === null) return null;
    if (content === undefined) return body === '' ? null : `${status} has a body: ${short(body)}`;
    const [mediaType = '', media] = Object.entries(content)[0] ?? [];
    const given = header('content-type') ?? '';
    if (essence(given) !== essence(mediaType)) return `${status} is ${given}, not ${mediaType}`;
    if (essence(mediaType) !== 'application/json') return null;
    const fault = this.schemaFault(media?.schema ?? {}, parsed(body));
    return fault === null ? null : `${status} ${fault}: ${short(body)}`;
  }

  private operationOf(method: string, path: string, operation: OperationObject): ContractOperation {
    const { operationId, tags, security, parameters = [], requestBody, responses } = operation;
    const [mediaType = '', media] = Object.entries(requestBody?.content ?? {})[0] ?? [];
    return {
      id: operationId,
      method: method.toUpperCase(),
      path,
      aliasOf: operation['x-alias-of'] ?? null,
      tag: tags[0] ?? '',
      security,
      parameters,
      body: media && requestBody ? { mediaType, required: requestBody.required, media } : null,
      responses: new Map(
        Object.entries(responses).map(([status, response]) => [Number(status), this.responseOf(response)]),
      ),
    };
  }

  private responseOf(response: object): ResponseObject {
    const { headers = {}, ...others } = this.followed(response as ResponseObject);
    const entries = Object.entries(headers).map(([name, header]) => [name, this.followed(header)]);
    return { ...others, headers: Object.fromEntries(entries) };
  }
}

/** The text of `error` in an error answer; empty for anything else. */
export function errorText(body: unknown): string {
  const { error } = (typeof body === 'object' && body !== null ? body : {}) as { error?: unknown };
  return typeof error === 'string' ? error : '';
}

/** The value of a JSON text; undefined if it is invalid. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (node === null || typeof node !== 'object') return node;
  const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, closed(value)]));
  const isOpen = typeof copy.properties === 'object' && !('additionalProperties' in copy);
  return isOpen ? { ...copy, additionalProperties: false } : copy;
}

function absolute(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(absolute);
  if (node === null || typeof node !== 'object') return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [name, name === '$ref' ? `openapi${value}` : absolute(value)]),
  );
}

const essence = (mediaType: string): string => mediaType.split(';')[0]?.trim().toLowerCase() ?? '';

const short = (text: string | null): string => (text ?? '').slice(0, 300);
