import { Arg, Args, type ClassType, FieldResolver, ID, Query, Root } from 'type-graphql';
import type { Page } from '../../../kernel/paging.js';
import { Operation, type OperationContext } from '../../../kernel/verb-context.js';

interface Described {
  nullable?: boolean;
  description?: string;
}

interface TwiceDescribed {
  /** Whether the field is null for callers who may not see the list; the query fails for them. */
  nullable?: boolean;
  field?: string;
  query?: string;
}

/** For a method that reads a page: of the object that has the list, or of its id. */
type PageDecorator<O, A> = <T extends O, R extends Promise<Page<object> | null> | null>(
  prototype: object,
  name: string,
  method: TypedPropertyDescriptor<(operation: OperationContext, owner: T, args: A) => R>,
) => void;

/** A field that is a list of what an object has. */
export const ListField = <A extends object>(
  connection: () => ClassType,
  args: ClassType<A>,
  options: Described = {},
): PageDecorator<object, A> => reading(FieldResolver(connection, options), Root(), args);

/**
 * A list of what a project has, in a resolver of `Project`: a field of the project, and a query of the same name that takes the project's id.
 * Both have the same arguments, and the method reads the pages of both.
 */
export function ProjectList<A extends object>(
  connection: () => ClassType,
  args: ClassType<A>,
  { nullable = false, field, query }: TwiceDescribed = {},
): PageDecorator<string, A> {
  return (prototype, name, method) => {
    const asField = FieldResolver(connection, { nullable, ...(field ? { description: field } : {}) });
    reading(asField, Root('id'), args)(prototype, name, method);
    const asQuery = Query(connection, { name, ...(query ? { description: query } : {}) });
    const projectId = Arg('projectId', () => ID);
    Object.defineProperty(prototype, `${name}ById`, method);
    reading(asQuery, projectId, args)(prototype, `${name}ById`, method);
  };
}

function reading(
  kind: MethodDecorator,
  owner: (prototype: object, name: string, index: number) => void,
  args: ClassType,
): (prototype: object, name: string, method: PropertyDescriptor) => void {
  return (prototype, name, method) => {
    kind(prototype, name, method);
    Operation()(prototype, name, 0);
    owner(prototype, name, 1);
    Args(() => args)(prototype, name, 2);
  };
}
