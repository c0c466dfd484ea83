import type { Static, TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Set as setFormat } from 'typebox/format';
import type { DomainError } from '../src/kernel/errors.js';
import { isoTime } from '../src/kernel/values/iso-time.js';
import type { Body } from './body.js';
import type { JsonBody } from './route.js';

/** A mismatch between a body and its schema: the path, such as `respondent.email`, and what is wrong there. */
export interface Problem {
  readonly path: string;
  readonly problem: string;
}

// Clients send times in ISO 8601, which includes RFC 3339.
setFormat('date-time', (text) => !Number.isNaN(isoTime(text)));

/** A JSON body that must match its schema; `refuse` creates the error from the problems, at least one. */
export function shaped<Schema extends TSchema>(
  schema: Schema,
  cap: number,
  refuse: (problems: readonly Problem[]) => DomainError,
): JsonBody<Static<Schema>> {
  const validator = Compile(schema);
  const parse = (body: Body): Static<Schema> => {
    if (body.malformed) throw refuse([{ path: '', problem: 'is not JSON' }]);
    if (validator.Check(body.value)) return body.value as Static<Schema>;
    throw refuse(validator.Errors(body.value).flatMap(problemsOf));
  };
  return { reads: 'json', cap, schema, parse };
}

/** Like {@link shaped}, validated when the verb asks, for verbs that must check permission first. */
export function shapedWhenAsked<Schema extends TSchema>(
  ...given: Parameters<typeof shaped<Schema>>
): JsonBody<() => Static<Schema>> {
  const body = shaped(...given);
  return { ...body, parse: (read) => () => body.parse(read) };
}

/** A JSON body that is used if it matches its schema, and is null otherwise. */
export function shapedIfAny<Schema extends TSchema>(schema: Schema, cap: number): JsonBody<Static<Schema> | null> {
  const validator = Compile(schema);
  const parse = (body: Body) =>
    !body.malformed && validator.Check(body.value) ? (body.value as Static<Schema>) : null;
  return { reads: 'json', required: false, cap, schema, parse };
}

/** A JSON body that the verb validates with its own errors; the schema only documents it. */
export function judged<Given>(schema: TSchema, cap: number, parse: (body: Body) => Given): JsonBody<Given> {
  return { reads: 'json', cap, schema, parse };
}

interface SchemaError {
  readonly instancePath: string;
  readonly message: string;
  readonly params: object;
}

function problemsOf({ instancePath, message, params }: SchemaError): Problem[] {
  const path = instancePath.slice(1).replaceAll('/', '.');
  const { requiredProperties: missing } = params as { requiredProperties?: string[] };
  if (!missing) return [{ path, problem: message }];
  return missing.map((name) => ({ path: path === '' ? name : `${path}.${name}`, problem: 'is required' }));
}
