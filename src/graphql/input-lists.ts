import {
  defaultFieldResolver,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isLeafType,
  isListType,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { commonFailure } from '../kernel/errors.js';
import { objectFields } from './object-fields.js';

/** Maximum entries of a list in an argument or input; a field with the extension `mostEntries` sets its own. */
const MOST_ENTRIES = 1_000;

/** The library passes input fields to subclasses without their extensions. */
function handDownExtensions(schema: GraphQLSchema): void {
  const inputs = getMetadataStorage().inputTypes;
  const byClass = new Map(inputs.map((input) => [input.target, input]));
  for (const { name, target } of inputs) {
    const type = schema.getType(name);
    if (!isInputObjectType(type)) continue;
    for (let parent = Object.getPrototypeOf(target); parent !== null; parent = Object.getPrototypeOf(parent)) {
      for (const { schemaName, extensions } of byClass.get(parent)?.fields ?? []) {
        const field = type.getFields()[schemaName];
        if (field && extensions) field.extensions = { ...extensions, ...field.extensions };
      }
    }
  }
}

/** Rejects arguments whose lists are too long, at any depth and before anything else: `invalid_input`. */
export function boundInputLists(schema: GraphQLSchema): void {
  handDownExtensions(schema);
  for (const field of objectFields(schema)) {
    const bounded = field.args.filter((arg) => !isLeafType(getNullableType(arg.type)));
    if (bounded.length === 0) continue;
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (source, args: Record<string, unknown>, operation, info) => {
      for (const arg of bounded) refuseLongLists(arg.type, args[arg.name], arg.name, arg.extensions.mostEntries);
      return resolve(source, args, operation, info);
    };
  }
}

function refuseLongLists(given: GraphQLInputType, value: unknown, path: string, mostEntries: unknown): void {
  const type = getNullableType(given);
  if (Array.isArray(value) && isListType(type)) {
    const most = typeof mostEntries === 'number' ? mostEntries : MOST_ENTRIES;
    if (value.length > most) {
      const problem = `has ${value.length} entries; the maximum is ${most}`;
      throw commonFailure('invalid_input', { problems: [{ path, problem }] });
    }
    if (isLeafType(getNullableType(type.ofType))) return;
    for (const [at, entry] of value.entries()) refuseLongLists(type.ofType, entry, `${path}.${at}`, mostEntries);
  } else if (typeof value === 'object' && value !== null && isInputObjectType(type)) {
    for (const field of Object.values(type.getFields()))
      refuseLongLists(
        field.type,
        (value as Record<string, unknown>)[field.name],
        `${path}.${field.name}`,
        field.extensions.mostEntries,
      );
  }
}
