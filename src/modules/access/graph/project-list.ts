import { Arg, Args, type ClassType, FieldResolver, ID, Query, Root } from 'type-graphql';
import type { Page } from '../../../kernel/paging.js';
import { Operation, type OperationContext } from '../../../kernel/verb-context.js';

interface Described {
  /** Whether the field is null for callers who may not see the list; the query fails for them. */
  nullable?: boolean;
  /** Description of the field. */
  field?: string;
  /** Description of the query. */
  query?: string;
}

type Reading<A, T> = (operation: OperationContext, projectId: string, args: A) => Promise<Page<T>>;

/**
 * A list of what a project has, declared in a resolver of `Project`: a field of the project, and a query of the same name that takes the
 * project's id. Both have the same arguments, and the method reads the page of both.
 */
export function ProjectList<A extends object>(
  connection: () => ClassType,
  args: ClassType<A>,
  { nullable = false, field, query }: Described = {},
) {
  return <T>(prototype: object, property: string, method: TypedPropertyDescriptor<Reading<A, T>>): void => {
    const declare = (
      name: string,
      kind: MethodDecorator,
      project: (prototype: object, name: string, index: number) => void,
    ): void => {
      kind(prototype, name, method);
      Operation()(prototype, name, 0);
      project(prototype, name, 1);
      Args(() => args)(prototype, name, 2);
    };
    declare(property, FieldResolver(connection, described({ nullable }, field)), Root('id'));
    const queried = `${property}ById`;
    Object.defineProperty(prototype, queried, method);
    declare(
      queried,
      Query(connection, described({ name: property }, query)),
      Arg('projectId', () => ID),
    );
  };
}

const described = <O extends object>(options: O, description: string | undefined) => ({
  ...options,
  ...(description ? { description } : {}),
});
