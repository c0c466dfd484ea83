import { type GraphQLSchema, lexicographicSortSchema, printSchema } from 'graphql';

/** The expected text of `schema.graphql`. */
export function schemaText(schema: GraphQLSchema): string {
  return `${printSchema(lexicographicSortSchema(schema))}\n`;
}
