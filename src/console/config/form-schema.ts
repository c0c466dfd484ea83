/** The parts of a JSON Schema that a form can show. */
export interface FormSchema {
  type: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | undefined;
  title?: string;
  description?: string;
  enum?: readonly unknown[];
  default?: unknown;
  properties?: Readonly<Record<string, FormSchema>>;
  required?: readonly string[];
  items?: FormSchema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
}

export const NOT_GIVEN: FormSchema = { type: 'string' };

const TYPES: ReadonlySet<unknown> = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean']);
const DEEPEST = 8;
/** With any of these keywords a value can have more than one shape, which is easier to edit as text. */
const BEYOND_FORMS = [
  '$ref',
  '$dynamicRef',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'patternProperties',
  'prefixItems',
  'dependentSchemas',
];

/** The schema as a form; null if a form can't express it, so the value is edited as text only. */
export function formSchemaOf(schema: unknown, depth = 0): FormSchema | null {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || depth > DEEPEST) return null;
  const given = schema as Readonly<Record<string, unknown>> & FormSchema;
  if (BEYOND_FORMS.some((word) => word in given)) return null;
  const values = Array.isArray(given.enum) ? given.enum : 'const' in given ? [given.const] : undefined;
  if (values) return { ...given, enum: values };
  if (!TYPES.has(given.type)) return null;
  if (given.type === 'array') {
    const items = formSchemaOf(given.items, depth + 1);
    return items && { ...given, items };
  }
  if (given.type !== 'object') return given;
  const properties: Record<string, FormSchema> = {};
  for (const [name, part] of Object.entries(given.properties ?? {})) {
    const found = formSchemaOf(part, depth + 1);
    if (!found) return null;
    properties[name] = found;
  }
  return Object.keys(properties).length > 0 ? { ...given, properties } : null;
}

/** Whether a value has the shape the form would show; if not, only the text is shown. */
export function fits(schema: FormSchema, value: unknown): boolean {
  if (schema.enum) return typeof value !== 'object' || value === null;
  if (schema.type === 'array')
    return Array.isArray(value) && value.every((item) => fits(schema.items ?? NOT_GIVEN, item));
  if (schema.type === 'object')
    return (
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.entries(schema.properties ?? {}).every(([name, part]) => {
        const own = (value as Record<string, unknown>)[name];
        return own === undefined || fits(part, own);
      })
    );
  if (schema.type === 'integer' || schema.type === 'number') return typeof value === 'number';
  return typeof value === schema.type;
}

/** The initial value of a part when someone adds it. */
export function firstValue(schema: FormSchema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'object')
    return Object.fromEntries(
      Object.entries(schema.properties ?? {})
        .filter(([name]) => schema.required?.includes(name))
        .map(([name, part]) => [name, firstValue(part)]),
    );
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return false;
  if (schema.type === 'string') return '';
  return schema.minimum ?? 0;
}

export const titleOf = (name: string, { title }: FormSchema): string => title ?? name;

export function without(object: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  const { [name]: _, ...others } = object;
  return others;
}
