import { type GraphQLSchema, isObjectType } from 'graphql';
import type { OperationContext } from '../kernel/verb-context.js';
import type { EdgeTo } from '../modules/access/graph/edge.js';
import type { NodeKind } from '../modules/access/graph/node.js';
import { actionsWith, follow } from '../modules/access/visible-node.js';

/** Adds resolvers for the fields that entities declare as edges, and for `viewerCan`. */
export function resolveGraphFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type)) continue;
    // Rows of lists aren't always entities, and no object is of an abstract type itself.
    delete type.isTypeOf;
    for (const field of Object.values(type.getFields())) {
      const edge = field.extensions.edge as EdgeTo | undefined;
      const kind = field.extensions.viewerCan as NodeKind<object> | undefined;
      if (edge) field.resolve = (source: object, _args, operation: OperationContext) => follow(operation, edge, source);
      if (kind)
        field.resolve = (source: object, _args, { current }: OperationContext) => actionsWith(current, kind, source);
    }
  }
}
