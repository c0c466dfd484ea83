/** The code of the threads that check config values against their JSON Schemas. */
import { parentPort } from 'node:worker_threads';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { LRUCache } from 'lru-cache';
import type { ThreadMessage } from '../../../kernel/threads/supervised-thread.js';
import { compileSchema } from './compile-schema.js';
import { type SchemaOutcome, type SchemaTask, UnusableSchema } from './schema-task.js';

const SCHEMAS_KEPT = 16;
const PROBLEMS_SHOWN = 5;

const compiled = new LRUCache<string, ValidateFunction>({ max: SCHEMAS_KEPT });

function compiledOf(text: string): ValidateFunction {
  const known = compiled.get(text);
  if (known) return known;
  const validate = compileSchema(JSON.parse(text));
  compiled.set(text, validate);
  return validate;
}

function outcomeOf({ schema, values }: SchemaTask): SchemaOutcome {
  try {
    const validate = compiledOf(schema);
    for (const [index, text] of values.entries()) {
      say({ next: true });
      if (isValid(validate, JSON.parse(text))) continue;
      const problems = (validate.errors ?? [])
        .slice(0, PROBLEMS_SHOWN)
        .map(({ instancePath, message }) => `${instancePath || '(value)'} ${message}`);
      return { verdict: 'violated', value: index, problems };
    }
    return { verdict: 'passed' };
  } catch (error) {
    if (error instanceof UnusableSchema) return { verdict: 'unusable', ...error.fault };
    throw error;
  }
}

function isValid(validate: ValidateFunction, value: unknown): boolean {
  try {
    return validate(value) === true;
  } catch (error) {
    // The schema refers back to itself in a way that only a value reveals, or has a pattern that is too large to run.
    const problem = error instanceof RangeError ? 'checking a value against it never ends' : (error as Error).message;
    throw new UnusableSchema({ place: '#', problem });
  }
}

function say(message: ThreadMessage<SchemaOutcome>): void {
  parentPort?.postMessage(message);
}

parentPort?.on('message', (task: SchemaTask) => say({ result: outcomeOf(task) }));
say({ next: true });
