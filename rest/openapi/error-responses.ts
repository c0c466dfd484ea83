import { STATUS_CODES } from 'node:http';
import { type TObject, Type } from 'typebox';
import type { ErrorRow } from '../face/error-table.js';
import { oneOf } from '../field-schemas.js';
import type { SchemaComponents } from './components.js';
import type { Description } from './description.js';
import { exampleOf } from './example.js';
import { NO_STORE, REQUEST_ID } from './headers.js';

/** One exact error body of an operation. */
interface Refusal {
  readonly name: string;
  readonly row: ErrorRow;
  readonly body: { readonly error: string };
}

/** The failures of an operation: those of its gate, those of every route, and those it describes. */
export function refusalsOf(
  errors: Readonly<Record<string, ErrorRow>>,
  shared: readonly string[],
  { failures = [], refusals = {} }: Description,
): Refusal[] {
  const described = [...shared, ...failures].flatMap((failure): Refusal[] => {
    const [code, details] = typeof failure === 'string' ? [failure, null] : failure;
    const row = errors[code] as ErrorRow;
    const examples = details === null ? row.examples : [details];
    return examples.map((example) => refusal(examples.length > 1 ? `${code}.${tail(example)}` : code, row, example));
  });
  return [...Object.entries(refusals).map(([name, row]) => refusal(name, row, {})), ...described];
}

/** The error responses by status; a body shared by several failures is listed once. */
export function errorResponses(refusals: readonly Refusal[], components: SchemaComponents): Record<string, object> {
  const byStatus = Map.groupBy(refusals, ({ row }) => row.status);
  return Object.fromEntries(
    [...byStatus].map(([status, rows]) => {
      const distinct = [...new Map(rows.toReversed().map((row) => [JSON.stringify(row.body), row])).values()].reverse();
      return [String(status), errorResponse(status, distinct, components)];
    }),
  );
}

function errorResponse(status: number, refusals: readonly Refusal[], components: SchemaComponents): object {
  const texts = refusals.map(({ body }) => `\`${body.error}\``);
  const shapes = [...Map.groupBy(refusals, ({ row }) => JSON.stringify(row.fields)).values()].map(shapeOf);
  const [only] = shapes;
  const schema =
    shapes.length === 1 && only ? components.use(only) : { oneOf: shapes.map((one) => components.use(one)) };
  const examples = Object.fromEntries(refusals.map(({ name, body }) => [name, { value: body }]));
  return {
    description: `${STATUS_CODES[status]}: ${texts.join(', ')}.`,
    headers: { 'x-request-id': REQUEST_ID, 'cache-control': NO_STORE },
    content: { 'application/json': { schema, examples } },
  };
}

/** Bodies that differ only in the text of `error`. */
function shapeOf(refusals: readonly Refusal[]): TObject {
  const texts = [...new Set(refusals.map(({ body }) => body.error))];
  return Type.Object({ error: oneOf(texts), ...refusals[0]?.row.fields });
}

function refusal(name: string, row: ErrorRow, details: Readonly<Record<string, unknown>>): Refusal {
  const { message } = exampleOf(Type.Object(row.fields)) as { message?: string };
  return { name, row, body: row.body(details, message ?? '') };
}

const tail = (details: Readonly<Record<string, unknown>>): string => Object.values(details).join('.');
