import {
  type DocumentNode,
  type GraphQLDirective,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  getDirectiveValues,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Whether `@skip` and `@include` leave out every field of a valid subscription's root. graphql-js fails with a TypeError when it is asked to
 * subscribe to nothing. Its validation refuses variables in these places, so the directives have literal values.
 */
export function isAllLeftOut(document: DocumentNode, { selectionSet }: OperationDefinitionNode): boolean {
  const fragments = new Map(
    document.definitions.flatMap((each) =>
      each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each.selectionSet] as const] : [],
    ),
  );
  const asks = (directive: GraphQLDirective, node: SelectionNode): unknown => getDirectiveValues(directive, node)?.if;
  const hasField = (set: SelectionSetNode | undefined): boolean =>
    set?.selections.some((node) => {
      if (asks(GraphQLSkipDirective, node) === true || asks(GraphQLIncludeDirective, node) === false) return false;
      if (node.kind === Kind.FIELD) return true;
      return hasField(node.kind === Kind.INLINE_FRAGMENT ? node.selectionSet : fragments.get(node.name.value));
    }) ?? false;
  return !hasField(selectionSet);
}
