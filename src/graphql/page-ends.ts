import { type GraphQLResolveInfo, type GraphQLSchema, Kind, valueFromASTUntyped } from 'graphql';
import { commonFailure } from '../kernel/errors.js';
import { DEFAULT_PAGE } from '../kernel/paging.js';
import { objectFields } from './object-fields.js';

/**
 * Makes lists refuse `first` together with `last` (`invalid_input`), before permissions are checked. Null counts as absent: clients that page
 * in both directions send it for the end they do not use.
 */
export function refuseBothPageEnds(schema: GraphQLSchema): void {
  for (const field of objectFields(schema)) {
    const { args, resolve } = field;
    if (!resolve || !['first', 'last'].every((end) => args.some(({ name }) => name === end))) continue;
    field.resolve = (source, given, operation, info) => {
      if (given.last != null && isFirstGiven(info)) throw commonFailure('invalid_input', { problems: BOTH_ENDS });
      return resolve(source, given.first === null ? { ...given, first: DEFAULT_PAGE } : given, operation, info);
    };
  }
}

const BOTH_ENDS = ['first', 'last'].map((path) => ({ path, problem: 'Use either first or last, not both.' }));

/** Whether the request gives `first` a value, rather than relying on the default in the schema or the document. */
function isFirstGiven({ fieldNodes, variableValues, operation }: GraphQLResolveInfo): boolean {
  const value = fieldNodes[0]?.arguments?.find(({ name }) => name.value === 'first')?.value;
  if (value?.kind !== Kind.VARIABLE) return value !== undefined && value.kind !== Kind.NULL;
  const name = value.name.value;
  const usual = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue;
  return variableValues[name] != null && variableValues[name] !== (usual && valueFromASTUntyped(usual));
}
