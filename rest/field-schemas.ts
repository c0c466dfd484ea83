import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';
import { ENVIRONMENTS } from '../src/kernel/actor.js';

/** A field's purpose and example value; the example becomes part of every example body with the field. */
const shown = (example: unknown, description?: string) => ({
  ...(description && { description }),
  examples: [example],
});

export const text = (example: string, description?: string) => Type.String(shown(example, description));

export const uuid = (description?: string) =>
  Type.String({ format: 'uuid', ...shown('019a9c6e-2f6b-7d1e-9a53-5c2f4c1b8a10', description) });

/** ISO 8601 in UTC with milliseconds. */
export const instant = (description?: string) =>
  Type.String({ format: 'date-time', ...shown('2026-03-01T09:30:00.000Z', description) });

export const count = (example: number, description?: string) =>
  Type.Integer({ minimum: 0, ...shown(example, description) });

export const flag = (example: boolean, description?: string) => Type.Boolean(shown(example, description));

/** One of several texts, as an `enum`, which client generators support better than a union of constants. */
export const oneOf = <const Value extends string>(values: readonly Value[], description?: string): TUnsafe<Value> =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], ...(description && { description }) });

export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** An object with keys that the project or the client chooses. */
export const mapOf = <Schema extends TSchema>(
  value: Schema,
  example: Record<string, unknown>,
  description?: string,
): TUnsafe<Record<string, Static<Schema>>> =>
  Type.Unsafe<Record<string, Static<Schema>>>({
    type: 'object',
    additionalProperties: value,
    ...shown(example, description),
  });

export const json = (example: unknown, description?: string) => Type.Unknown(shown(example, description));

export const environment = (description = 'Environment of the project.') => oneOf(ENVIRONMENTS, description);

/** The request header for routes with an entity tag. */
export const IfNoneMatch = Type.Object({
  'if-none-match': Type.Optional(text('"8Jx0uJ0rQv2yqS5h1mKdTg3nWcE"', 'The `ETag` of a previous response.')),
});

export const SentAt = Type.Object({
  sent_at: Type.Optional(
    instant(
      "The client's clock when it sends the request. If it is off by a minute or more, its times are corrected by the difference.",
    ),
  ),
});
