import type { EntityClass } from '@mikro-orm/postgresql';
import { Extensions, Field } from 'type-graphql';

/** Where an edge leads, and the property that holds the id of the object there. */
export interface EdgeTo {
  target: () => EntityClass<{ id: string }>;
  by: string;
}

/** A field that returns the object whose id another property holds: null if there is none, or none the caller may see. */
export function Edge<T extends { id: string }>(
  target: () => EntityClass<T>,
  by: string,
  description?: string,
): PropertyDecorator {
  return (prototype, property) => {
    Field(target, { nullable: true, ...(description ? { description } : {}) })(prototype, property);
    Extensions({ edge: { target, by } satisfies EdgeTo })(prototype, property);
  };
}
