import { defaultFieldResolver, type GraphQLSchema } from 'graphql';
import type { GraphqlOperation } from './http/operation.js';

/**
 * Wraps every mutation field in a transaction. Mutations in one request run one after the other (GraphQL 6.2.2), so each has its own. A
 * field with the extension `transaction: false` opens its own, because it streams bytes or hashes passwords first.
 */
export function runMutationsInTransactions(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    if (field.extensions.transaction === false) continue;
    const resolve = field.resolve ?? defaultFieldResolver;
    field.resolve = (source, args, operation: GraphqlOperation, info) =>
      operation.mutate(async () => resolve(source, args, operation, info));
  }
}
