import { type GraphQLResolveInfo, type GraphQLSchema, isObjectType, Kind, valueFromASTUntyped } from 'graphql';
import { commonFailure } from '../kernel/errors.js';

/**
 * Makes lists reject `first` together with `last` with `invalid_input`, since a page starts at one end. Runs before the permission check.
 */
export function refuseBothEnds(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { args, resolve } = field;
      if (!resolve || !['first', 'last'].every((end) => args.some(({ name }) => name === end))) continue;
      field.resolve = (source, given, operation, info) => {
        if (given.last != null && isFirstGiven(info)) throw commonFailure('invalid_input', { problems: BOTH_ENDS });
        return resolve(source, given, operation, info);
      };
    }
  }
}

const BOTH_ENDS = ['first', 'last'].map((path) => ({ path, problem: 'Use either first or last, not both.' }));

/** Whether the request gives `first` a value, rather than relying on the default in the schema or the document. */
function isFirstGiven({ fieldNodes, variableValues, operation }: GraphQLResolveInfo): boolean {
  const value = fieldNodes[0]?.arguments?.find(({ name }) => name.value === 'first')?.value;
  if (value?.kind !== Kind.VARIABLE) return value !== undefined;
  const name = value.name.value;
  const usual = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue;
  return variableValues[name] !== undefined && variableValues[name] !== (usual && valueFromASTUntyped(usual));
}
