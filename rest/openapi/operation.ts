import type { TObject, TSchema } from 'typebox';
import type { Role } from '../../src/kernel/actor.js';
import type { KeyScope } from '../../src/modules/access/keys/key-scopes.js';
import type { CallerGate } from '../callers.js';
import type { ErrorRow } from '../face/error-table.js';
import type { SchemaComponents } from './components.js';
import type { DescribedAnswer, Description } from './description.js';
import { errorResponses, refusalsOf } from './error-responses.js';
import { exampleOf } from './example.js';
import { answerHeaders } from './headers.js';

/** The source of an operation in the document: a row of the route tables, or one of the server's own paths. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly aliases?: readonly string[];
  readonly caller: Pick<CallerGate, 'scheme' | 'failures' | 'beacons' | 'orTicket'>;
  readonly least?: Role | undefined;
  readonly scope?: KeyScope | undefined;
  readonly body?: DescribedBody | null;
  readonly errors: Readonly<Record<string, ErrorRow>>;
  readonly describes: Description;
}

interface DescribedBody {
  readonly schema: TSchema;
  readonly mediaType?: string;
  readonly required?: boolean;
}

/** An operation as an OpenAPI Operation Object. `shared` are the failures of every route. */
export function operationObject(operation: Operation, shared: readonly string[], components: SchemaComponents): object {
  const { describes, errors, caller, body } = operation;
  const { id, tag, summary, details } = describes;
  const refusals = refusalsOf(errors, [...caller.failures, ...shared], describes);
  const answers = Object.entries(describes.answers).map(([status, answer]) => [status, response(answer, components)]);
  const parameters = [
    ...parametersOf('path', describes.params, components),
    ...parametersOf('query', describes.query, components),
    ...parametersOf('header', describes.headers, components),
  ];
  const description = [details, needsOf(operation)].filter(Boolean).join('\n\n');
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === '' ? {} : { description }),
    security: securityOf(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: requestBody(body, caller.beacons ?? false, components) } : {}),
    responses: { ...Object.fromEntries(answers), ...errorResponses(refusals, components) },
  };
}

function needsOf({ least, scope }: Operation): string {
  if (least) return `Requires the role ${least} or higher.`;
  return scope ? `Requires a key with the scope \`${scope}\`.` : '';
}

/** The role or scope is listed with the scheme, which OpenAPI 3.1 allows for schemes of any type. */
function securityOf({ caller: { scheme, beacons, orTicket }, least, scope }: Operation): object[] {
  const needs = [least ?? scope ?? []].flat();
  if (scheme === null) return [];
  return [
    { [scheme]: needs },
    ...(beacons ? [{ projectKeyInAddress: needs }] : []),
    ...(orTicket ? [{ streamTicket: needs }] : []),
  ];
}

function parametersOf(place: string, fields: TObject | undefined, components: SchemaComponents): object[] {
  if (fields === undefined) return [];
  const required = new Set(fields.required);
  return Object.entries(fields.properties).map(([name, field]) => {
    const { description, examples, ...schema } = components.use(field) as {
      description?: string;
      examples?: unknown[];
    };
    return {
      name,
      in: place,
      ...(description ? { description } : {}),
      required: required.has(name),
      schema,
      ...(examples ? { example: examples[0] } : {}),
    };
  });
}

function requestBody(
  { schema, mediaType = 'application/json', required = true }: DescribedBody,
  beacons: boolean,
  components: SchemaComponents,
): object {
  const media = mediaObject(mediaType, schema, components);
  return { required, content: { [mediaType]: media, ...(beacons ? { 'text/plain': media } : {}) } };
}

function response(answer: DescribedAnswer, components: SchemaComponents): object {
  const { description, schema, mediaType = 'application/json' } = answer;
  const headers = answerHeaders(answer);
  if (schema === undefined) return { description, headers };
  return { description, headers, content: { [mediaType]: mediaObject(mediaType, schema, components) } };
}

function mediaObject(mediaType: string, schema: TSchema, components: SchemaComponents): object {
  const example = mediaType === 'application/json' ? exampleOf(schema) : undefined;
  return { schema: components.use(schema), ...(example === undefined ? {} : { example }) };
}
