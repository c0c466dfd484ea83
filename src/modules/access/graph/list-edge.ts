import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.js';
import { conditionKey } from '../../../kernel/lists/condition-key.js';
import type { List, OwnerId } from '../../../kernel/lists/list.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import { readPages } from '../../../kernel/lists/list-pages.js';
import type { Page } from '../../../kernel/paging.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import type { Action } from '../actions.js';
import { authorize, authorizeOrganization } from '../guard.js';

/** Whose list it is, and the project whose roles say who may see it; null for the organization's. */
export interface ListOwner {
  id: OwnerId;
  projectId: string | null;
}

const PAGES = Symbol('pages of lists');

interface Asked {
  list: List<object>;
  owner: OwnerId;
  args: ListArgs;
  where: FilterQuery<object>;
  counts: boolean;
  /** What those that are read in one statement have in common. */
  question: string;
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
  owner: OwnerId,
  args: ListArgs,
  where: FilterQuery<T> = {},
): Promise<Page<T>> {
  const counts = Boolean(operation.wantsTotal);
  const question = conditionKey([list.name, list.owner, args, where, counts]);
  const asked = { list, owner, args, where, counts, question } as unknown as Asked;
  return pagesLoader(operation).load(asked) as Promise<Page<object>> as Promise<Page<T>>;
}

function pagesLoader(operation: OperationContext) {
  return loader(
    operation,
    PAGES,
    (all: readonly Asked[]) => readAll(operation.current, all),
    ({ owner, question }) => `${JSON.stringify(owner)} ${question}`,
  );
}

async function readAll(ctx: Context, all: readonly Asked[]): Promise<Page<object>[]> {
  const pages = new Map<Asked, Page<object>>();
  for (const group of Map.groupBy(all, ({ question }) => question).values()) {
    const { list, args, where, counts } = group[0] as Asked;
    const owners = group.map(({ owner }) => owner);
    const read = await readPages(ctx, list, owners, args, where, counts);
    for (const [index, asked] of group.entries()) pages.set(asked, read[index] as Page<object>);
  }
  return all.map((asked) => pages.get(asked) as Page<object>);
}
