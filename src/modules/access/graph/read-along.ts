import { Extensions } from 'type-graphql';
import type { List } from '../../../kernel/lists/list.js';
import type { ReadAlong } from '../../../kernel/lists/read-along.js';
import type { Action } from '../actions.js';

/**
 * Lets a field's list be read in the statement of its owners, when only the start of the list is requested. Its rows name the owner by id
 * only, and its own resolver needs no more of the owner than id and project. With `answer` the field is made from the owner and its only
 * row, or is that `row`.
 */
export function ReadsAlong<Row extends object, Owner extends object>(
  list: List<Row>,
  action: Action,
  answer?: 'row' | ((owner: Owner, row: Row | null) => unknown),
): MethodDecorator {
  // A field's extensions mix lists of all kinds, without the types of their rows.
  const along = { list, action, ...(answer ? { answer } : {}) } as unknown as ReadAlong;
  return Extensions({ readAlong: along }) as MethodDecorator;
}
