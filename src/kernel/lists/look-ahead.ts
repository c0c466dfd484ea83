import { type FieldNode, type GraphQLResolveInfo, getArgumentValues, getNamedType, isObjectType, Kind } from 'graphql';
import { isPageSize } from '../paging.js';

/**
 * The `first` of a list's first page that the running field is asked for further below, as `nodes { versions(first: 3) }`
 * is by the path `['nodes', 'versions']`, so that it can be read along. Null where that is not certain: in fragments,
 * under directives, or with arguments that do not hold, all of which the inner field's own resolver sees to.
 */
export function nestedPageSize(info: GraphQLResolveInfo, path: readonly string[]): number | null {
  let nodes = info.fieldNodes;
  let type = getNamedType(info.returnType);
  for (const [depth, name] of path.entries()) {
    const field = isObjectType(type) ? type.getFields()[name] : undefined;
    nodes = nodes.flatMap((node) => selected(node, name));
    if (!field || !nodes[0]) return null;
    if (depth === path.length - 1) {
      try {
        const { first, after } = getArgumentValues(field, nodes[0], info.variableValues);
        return isPageSize(first) && typeof after !== 'string' ? first : null;
      } catch {
        return null;
      }
    }
    type = getNamedType(field.type);
  }
  return null;
}

function selected({ selectionSet }: FieldNode, name: string): FieldNode[] {
  const found: FieldNode[] = [];
  for (const selection of selectionSet?.selections ?? []) {
    if (selection.kind === Kind.FIELD && selection.name.value === name && !selection.directives?.length)
      found.push(selection);
  }
  return found;
}
