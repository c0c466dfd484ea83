import type { Json } from '../core/json.js';
import type { Properties } from '../core/operations.js';

/** JSON, with instants as text; numbers that JSON has not are null, as they are on the way to the server. */
export function plain(value: unknown): Json {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
  return (value ?? null) as Json;
}

/** What goes along with a tracked event. */
export function propertiesOf(details: object): Properties {
  return plain(details) as Properties;
}
