import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';

/** What `schema.graphql` must hold. */
export function schemaText(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
