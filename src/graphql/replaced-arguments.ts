import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
} from 'graphql';
import { commonFailure } from '../kernel/errors.js';
import { objectFields } from './object-fields.js';

type Place = GraphQLArgument | GraphQLInputField;

/** The successor that a deprecation reason names: "Use `filter: { status: { eq } }`." gives filter, status, eq. */
const SUCCESSOR = /^Use `?([\w:{} ]+)/;

/** A deprecated argument or input field, and the path of its successor beside it. */
interface Replaced {
  readonly name: string;
  readonly by: readonly string[];
}

/** The deprecated ones among some arguments or fields, and within each of them by name. */
interface Replacements {
  readonly here: readonly Replaced[];
  readonly within: ReadonlyMap<string, Replacements>;
}

/**
 * Makes operations refuse a deprecated argument or input field that is given together with its successor: `invalid_input`, naming both.
 * This happens before permissions are checked.
 */
export function refuseReplacedBesideNew(schema: GraphQLSchema): void {
  for (const field of objectFields(schema)) {
    const found = replacementsAmong(field.args, []);
    const { resolve } = field;
    if (!found || !resolve) continue;
    field.resolve = (source, given: Given, operation, info) => {
      refuseBoth(found, given, '');
      return resolve(source, given, operation, info);
    };
  }
}

/** Throws when the server starts if a deprecation reason does not name an existing successor. */
function replacementsAmong(places: readonly Place[], above: readonly unknown[]): Replacements | null {
  const here: Replaced[] = [];
  const within = new Map<string, Replacements>();
  for (const { name, type, deprecationReason } of places) {
    if (deprecationReason) {
      const by = SUCCESSOR.exec(deprecationReason)?.[1]?.match(/\w+/g) ?? [];
      if (!isPlace(places, by)) throw new Error(`${name} names no successor: ${deprecationReason}`);
      here.push({ name, by });
    }
    const input = getNamedType(type);
    if (!isInputObjectType(input) || above.includes(input)) continue;
    const inner = replacementsAmong(Object.values(input.getFields()), [...above, input]);
    if (inner) within.set(name, inner);
  }
  return here.length + within.size > 0 ? { here, within } : null;
}

function isPlace(places: readonly Place[], [first, ...rest]: readonly string[]): boolean {
  const place = places.find(({ name }) => name === first);
  if (!place || rest.length === 0) return place !== undefined;
  const input = getNamedType(place.type);
  return isInputObjectType(input) && isPlace(Object.values(input.getFields()), rest);
}

type Given = Readonly<Record<string, unknown>>;

function refuseBoth({ here, within }: Replacements, given: Given, prefix: string): void {
  for (const { name, by } of here) {
    if (given[name] == null || valueAt(given, by) == null) continue;
    const [old, successor] = [`${prefix}${name}`, `${prefix}${by.join('.')}`];
    const problem = `give either ${successor} or ${name}, which it replaces, not both`;
    throw commonFailure('invalid_input', { problems: [old, successor].map((path) => ({ path, problem })) });
  }
  for (const [name, inner] of within) {
    const value = given[name];
    const entries = Array.isArray(value) ? value.map((entry, at) => [entry, `${name}.${at}`]) : [[value, name]];
    for (const [entry, place] of entries) if (entry != null) refuseBoth(inner, entry as Given, `${prefix}${place}.`);
  }
}

const valueAt = (given: Given, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => (value as Given | null | undefined)?.[name], given);
