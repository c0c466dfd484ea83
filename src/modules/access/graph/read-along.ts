import { Extensions } from 'type-graphql';
import type { List } from '../../../kernel/lists/list.js';
import type { ReadAlong } from '../../../kernel/lists/read-along.js';
import type { Action } from '../actions.js';

/**
 * Lets a field's list be read in the statement of the objects that it belongs to, when it is asked for nothing but its beginning. Its rows
 * name the object by its id and nothing else says which they are, and its own resolver reads no more of the object than id and project. With `answer` the field is made of the object and its only row, or is that `row`.
 */
export function ReadsAlong<Row extends object, Owner extends object>(
  list: List<Row>,
  action: Action,
  answer?: 'row' | ((owner: Owner, row: Row | null) => unknown),
): MethodDecorator {
  // Among a field's extensions lists of all kinds stand side by side, without the types of their rows.
  const along = { list, action, ...(answer ? { answer } : {}) } as unknown as ReadAlong;
  return Extensions({ readAlong: along }) as MethodDecorator;
}
