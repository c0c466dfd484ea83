import { Ajv2020, type Options, type SchemaObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { faultOf } from './schema-faults.js';
import { UnusableSchema } from './schema-task.js';

const OPTIONS: Options = {
  allErrors: false,
  strict: false,
  validateFormats: false,
  logger: false,
  // Inlining copies a schema to every place that refers to it, and optimizing costs more than a few checks win back.
  inlineRefs: false,
  code: { optimize: false, process: compiledAtOnce },
};

/** Knows the meta-schema; shared because that is compiled only once. */
const ofSchemas = new Ajv2020(OPTIONS);

/**
 * Compiles a JSON Schema (draft 2020-12). Run it in a thread, since it may take any amount of time and memory. Throws {@link
 * UnusableSchema}.
 */
export function compileSchema(schema: SchemaObject | boolean): ValidateFunction {
  try {
    if (typeof schema === 'object') refuseUnusable(schema);
    // One compiler per schema: the `$id`s of different items must not collide.
    const ajv = new Ajv2020({ ...OPTIONS, validateSchema: false });
    notePlaces(ajv);
    return ajv.compile(schema);
  } catch (error) {
    if (error instanceof UnusableSchema) throw error;
    const { message, place = '#' } = error as Error & Placed;
    throw new UnusableSchema({ place, problem: error instanceof RangeError ? 'it is nested too deeply' : message });
  }
}

function refuseUnusable(schema: SchemaObject): void {
  const $schema: unknown = schema.$schema;
  if ($schema && (typeof $schema !== 'string' || !ofSchemas.getSchema($schema)))
    throw new UnusableSchema({ place: '#/$schema', problem: 'only draft 2020-12 is supported' });
  if (!ofSchemas.validateSchema(schema)) {
    const error = ofSchemas.errors?.[0];
    throw new UnusableSchema({
      place: `#${error?.instancePath ?? ''}`,
      problem: error?.message ?? 'it is not a schema',
    });
  }
  const fault = faultOf(schema);
  if (fault) throw new UnusableSchema(fault);
}

/** The part of an error about a schema that couldn't be compiled: its place within the document being compiled. */
interface Placed {
  place?: string;
  document?: unknown;
}

/** Makes compilation errors name the keyword they arose from. */
function notePlaces(ajv: Ajv2020): void {
  for (const rule of Object.values(ajv.RULES.all)) {
    const definition = typeof rule === 'object' ? rule.definition : undefined;
    if (!definition || !('code' in definition) || !definition.code) continue;
    const { code } = definition;
    definition.code = (cxt, ruleType) => {
      try {
        code(cxt, ruleType);
      } catch (error) {
        notePlace(error as Placed, cxt.it.schemaEnv, decodeURIComponent(cxt.it.errSchemaPath), cxt.keyword, cxt.schema);
        throw error;
      }
    };
  }
}

/** A place is recorded where an error arises; a document compiled for a reference puts it below what is referred to. */
function notePlace(error: Placed, document: unknown, path: string, keyword: string, reference: unknown): void {
  if (error.place === undefined) error.place = `${path}/${keyword}`;
  else if (error.document !== document && keyword === '$ref' && String(reference).startsWith('#/'))
    error.place = String(reference) + error.place.slice(1);
  error.document = document;
}

/** Has a function compiled when it is created, not on first use, which would count toward the time of the value being checked. */
function compiledAtOnce(code: string): string {
  const start = code.indexOf('return function');
  return start < 0 ? code : `${code.slice(0, start)}return (${code.slice(start + 'return '.length)})`;
}
