import { Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLBigInt, GraphQLJSON } from 'graphql-scalars';
import { Field, ID, Int } from 'type-graphql';

/** How GraphQL answers each type of column. */
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
  /** As GraphQL names it, where that is not the property's name. */
  name?: string;
  nullable?: boolean;
  description?: string;
  deprecationReason?: string;
}

interface ColumnOptions extends FieldOptions {
  /** What GraphQL answers, where the column's type does not say it. */
  as?: () => object;
}

/** A column that GraphQL shows as a field. */
export function Column(type: keyof typeof FIELD_TYPES, options: ColumnOptions = {}): PropertyDecorator {
  const { as = () => FIELD_TYPES[type], ...field } = options;
  return (prototype, property) => {
    Property({ type, nullable: field.nullable })(prototype, String(property));
    Field(as, field)(prototype, property);
  };
}

/** A column with a value of an enum, which GraphQL shows as a field. */
export function EnumColumn(type: object, field: FieldOptions = {}): PropertyDecorator {
  return (prototype, property) => {
    Enum({ items: () => Object.values(type), type: 'text', nullable: field.nullable })(prototype, String(property));
    Field(() => type, field)(prototype, property);
  };
}

/** The column that tells rows apart, which GraphQL shows as a field. */
export function IdColumn(type: 'text' | 'uuid'): PropertyDecorator {
  return (prototype, property) => {
    PrimaryKey({ type })(prototype, String(property));
    Field(() => ID)(prototype, property);
  };
}
