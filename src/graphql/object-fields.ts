import { type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';

/** Every field of the schema's object types, of which only introspection's own are left out. */
export const objectFields = (schema: GraphQLSchema): GraphQLField<object, never>[] =>
  Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__') ? Object.values(type.getFields()) : [],
  );
