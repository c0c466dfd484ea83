import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.js';
import type { List } from '../../../kernel/lists/list.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import { readPages } from '../../../kernel/lists/list-pages.js';
import type { Page } from '../../../kernel/paging.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import type { Action } from '../actions.js';
import { authorize, authorizeOrganization } from '../guard.js';

/** Whose list it is, and the project whose roles say who may see it; null for the organization's. */
export interface ListOwner {
  id: string;
  projectId: string | null;
}

const PAGES = Symbol('pages of lists');

interface Asked {
  list: List<object>;
  owner: string;
  args: ListArgs;
  where: FilterQuery<object>;
  counts: boolean;
}

/**
 * A page of an owner's list, for a field of the owner or of the query. All owners of one level that are asked alike are read in one
 * statement. Fails as `authorize` and with `invalid_cursor`.
 */
export async function listOfOwner<T extends object>(
  operation: OperationContext,
  action: Action,
  list: List<T>,
  { id, projectId }: ListOwner,
  args: ListArgs,
  where: FilterQuery<T> = {},
): Promise<Page<T>> {
  if (projectId === null) authorizeOrganization(operation.current, action);
  else await authorize(operation.current, action, projectId);
  return pageOfOwner(operation, list, id, args, where);
}

/** As {@link listOfOwner}, for lists that ask for permission in a way of their own: whoever calls it has asked. */
export function pageOfOwner<T extends object>(
  operation: OperationContext,
  list: List<T>,
  owner: string,
  args: ListArgs,
  where: FilterQuery<T> = {},
): Promise<Page<T>> {
  const asked = { list, owner, args, where, counts: Boolean(operation.wantsTotal) } as Asked;
  return pagesLoader(operation).load(asked) as Promise<Page<object>> as Promise<Page<T>>;
}

function pagesLoader(operation: OperationContext) {
  return loader(operation, PAGES, (all: readonly Asked[]) => readAll(operation.current, all), keyOf);
}

async function readAll(ctx: Context, all: readonly Asked[]): Promise<Page<object>[]> {
  const pages = new Map<string, Page<object>>();
  for (const group of Map.groupBy(all, (asked) => questionOf(asked)).values()) {
    const { list, args, where, counts } = group[0] as Asked;
    const read = await readPages(
      ctx.em,
      list,
      group.map(({ owner }) => owner),
      args,
      where,
      counts,
    );
    for (const [index, asked] of group.entries()) pages.set(keyOf(asked), read[index] as Page<object>);
  }
  return all.map((asked) => pages.get(keyOf(asked)) as Page<object>);
}

const questionOf = ({ list, args, where, counts }: Asked): string =>
  JSON.stringify([list.name, list.owner, args, where, counts]);

const keyOf = (asked: Asked): string => `${asked.owner} ${questionOf(asked)}`;
