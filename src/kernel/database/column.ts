import { Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLBigInt, GraphQLJSON } from 'graphql-scalars';
import { Field, ID, Int } from 'type-graphql';

const FIELD_TYPES = {
  text: String,
  uuid: ID,
  Date,
  boolean: Boolean,
  integer: Int,
  bigint: GraphQLBigInt,
  json: GraphQLJSON,
} as const;

interface FieldOptions {
  /** Its name in GraphQL, if it differs from the property. */
  name?: string;
  nullable?: boolean;
  description?: string;
  deprecationReason?: string;
}

interface ColumnOptions extends FieldOptions {
  /** Its GraphQL type, if it does not follow from the column's. */
  as?: () => object;
}

/** A column that is also a GraphQL field. */
export function Column(type: keyof typeof FIELD_TYPES, options: ColumnOptions = {}): PropertyDecorator {
  const { as = () => FIELD_TYPES[type], ...field } = options;
  return (prototype, property) => {
    Property({ type, nullable: field.nullable })(prototype, String(property));
    Field(as, field)(prototype, property);
  };
}

/** A column that holds an enum value and is also a GraphQL field. */
export function EnumColumn(type: object, field: FieldOptions = {}): PropertyDecorator {
  return (prototype, property) => {
    Enum({ items: () => Object.values(type), type: 'text', nullable: field.nullable })(prototype, String(property));
    Field(() => type, field)(prototype, property);
  };
}

/** The primary key, also a GraphQL field. */
export function IdColumn(type: 'text' | 'uuid'): PropertyDecorator {
  return (prototype, property) => {
    PrimaryKey({ type })(prototype, String(property));
    Field(() => ID)(prototype, property);
  };
}
