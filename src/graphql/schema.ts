import { getMetadataStorage as getFromValidator, type ValidationError, validate } from 'class-validator';
import { defaultFieldResolver, GraphQLInputObjectType, type GraphQLSchema } from 'graphql';
import { buildSchemaSync, getMetadataStorage, type NonEmptyArray, type PubSub } from 'type-graphql';
import { commonFailure, failureCodes } from '../kernel/errors.js';
import { isPageSize, PageArgs } from '../kernel/paging.js';
import { ErrorCodeType } from '../kernel/refusal.js';
import { isOneOf } from '../kernel/values/one-of.js';
import { CALLER_ERRORS, INTERNAL_ERROR } from './errors.js';
import { resolveGraphFields } from './graph-fields.js';
import type { GraphqlOperation } from './http/operation.js';
import { boundInputLists } from './input-lists.js';
import { refuseBothPageEnds } from './page-ends.js';
import { answerWhatWasReadAlong } from './plan/read-along-fields.js';
import { redactBelowEditor } from './redacted-fields.js';
import { refuseReplacedBesideNew } from './replaced-arguments.js';
import { acceptOnlyStorable, addSpecificationUrls } from './storable-scalars.js';
import { connectSubscriptions } from './subscriptions.js';

/** Builds the executable schema from the resolver instances made by the composition root. */
export function createSchema(resolvers: readonly object[]): GraphQLSchema {
  const byClass = new Map(resolvers.map((resolver) => [resolver.constructor, resolver]));
  readPropertiesPlainly();
  passRootsAsTheyAre();
  makeRootsNullable();
  for (const code of failureCodes()) ErrorCodeType[code.toUpperCase()] = code.toUpperCase();
  for (const code of [...CALLER_ERRORS, INTERNAL_ERROR]) ErrorCodeType[code] = code;
  const schema = buildSchemaSync({
    // The classes are only typed as functions, and there is always at least one.
    resolvers: [...byClass.keys()] as unknown as NonEmptyArray<() => unknown>,
    container: { get: (someClass) => byClass.get(someClass) },
    validateFn: checkInput,
    pubSub: NO_TOPICS,
    // This would introspect the whole schema, half of the startup time; graphql-js validates the schema on the first request anyway.
    skipCheck: true,
  });
  resolveGraphFields(schema);
  acceptOnlyStorable(schema);
  addSpecificationUrls(schema);
  markOneOfInputs(schema);
  runMutationsInTransactions(schema);
  connectSubscriptions(schema);
  boundInputLists(schema);
  answerWhatWasReadAlong(schema);
  redactBelowEditor(schema);
  refuseBothPageEnds(schema);
  refuseReplacedBesideNew(schema);
  return schema;
}

/** The library requires one when there are subscriptions. Ours don't use topics; they listen to stored events. */
const NO_TOPICS: PubSub = {
  publish: () => undefined,
  subscribe: () => {
    throw new Error('no subscription has a topic');
  },
};

/** The library doesn't support `@oneOf`; graphql-js does. */
function markOneOfInputs(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()))
    if (type instanceof GraphQLInputObjectType && isOneOf(type)) type.isOneOf = true;
}

/**
 * Lets fields without a resolver be read as properties, without the library's wrapper for middleware and authorization checks, since there
 * are none. A field whose name differs from its property keeps the wrapper.
 */
function readPropertiesPlainly(): void {
  for (const field of getMetadataStorage().fields) field.simple = field.name === field.schemaName;
}

/**
 * Passes resolvers the object as it was read. The library would create an instance of the parameter's class for every field of every object
 * where list rows are plain, with a new id and through the ORM's setters.
 */
function passRootsAsTheyAre(): void {
  for (const param of getMetadataStorage().params) if (param.kind === 'root') param.getType = undefined;
}

/** One failed root field is null, and the others keep their results: whatever they did or found isn't thrown away. */
function makeRootsNullable(): void {
  const { queries, mutations, subscriptions } = getMetadataStorage();
  for (const { returnTypeOptions } of [...queries, ...mutations, ...subscriptions]) returnTypeOptions.nullable = true;
}

/** Runs class-validator's decorators on an input. Throws `invalid_input`, naming each field. */
async function checkInput(value: unknown): Promise<void> {
  if (value === null || typeof value !== 'object' || isPlain(value)) return;
  const errors = await validate(value, {
    skipMissingProperties: true,
    forbidUnknownValues: false,
    stopAtFirstError: true,
  });
  if (errors.length > 0)
    throw commonFailure('invalid_input', { problems: errors.flatMap((error) => problemsOf(error, '')) });
}

const checked = new WeakMap<object, readonly string[]>();

/** Whether there is nothing to validate except a valid page size; the library needs longer to find that out than most lists take. */
function isPlain(value: object): boolean {
  let names = checked.get(value.constructor);
  if (!names) {
    const found = getFromValidator().getTargetValidationMetadatas(value.constructor, '', false, false);
    names = [...new Set(found.map(({ propertyName }) => propertyName))];
    checked.set(value.constructor, names);
  }
  const given = value as Record<string, unknown>;
  return names.every(
    (name) => given[name] == null || (value instanceof PageArgs && name === 'first' && isPageSize(given[name])),
  );
}

function problemsOf(error: ValidationError, prefix: string): { path: string; problem: string }[] {
  const path = prefix ? `${prefix}.${error.property}` : error.property;
  const own = Object.values(error.constraints ?? {}).map((problem) => ({ path, problem }));
  return [...own, ...(error.children ?? []).flatMap((child) => problemsOf(child, path))];
}

/**
 * Wraps every mutation field in a transaction. Mutations in one request run one after the other (GraphQL 6.2.2), so each has its own. A
 * field with the extension `transaction: false` opens its own, because it streams bytes or hashes passwords first.
 */
function runMutationsInTransactions(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    if (field.extensions.transaction === false) continue;
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (source, args, operation: GraphqlOperation, info) =>
      operation.mutate(async () => resolve(source, args, operation, info));
  }
}
