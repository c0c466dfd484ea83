import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { configFailure } from './config.errors.js';

const MOST_SCHEMA_BYTES = 32 * 1024;
const PROBLEMS_SHOWN = 5;

/** Compiles a JSON Schema (draft 2020-12). Fails with `bad_schema`. */
export function compileSchema(schema: object | boolean): ValidateFunction {
  if (JSON.stringify(schema).length > MOST_SCHEMA_BYTES)
    throw configFailure('bad_schema', { problem: 'it is larger than 32 kB' });
  try {
    // A compiler a schema: `$id`s of different items must not meet.
    return new Ajv2020({ allErrors: false, strict: false, validateFormats: false }).compile(schema);
  } catch (error) {
    throw configFailure('bad_schema', { problem: error instanceof Error ? error.message : 'it is no schema' });
  }
}

/** Fails with `schema_violation` when a value does not satisfy the schema of its item. */
export function checkAgainstSchema(
  schema: object | boolean | null,
  value: unknown,
  field: 'value' | 'rule.value',
): void {
  if (schema === null) return;
  const validate = compileSchema(schema);
  if (validate(value)) return;
  const problems = (validate.errors ?? [])
    .slice(0, PROBLEMS_SHOWN)
    .map((e) => `${e.instancePath || '(value)'} ${e.message}`);
  throw configFailure('schema_violation', { field, problems });
}
