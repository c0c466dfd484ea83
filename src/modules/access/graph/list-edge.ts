import type { FilterQuery } from '@mikro-orm/postgresql';
import type { Context } from '../../../kernel/context.js';
import { conditionKey } from '../../../kernel/lists/condition-key.js';
import { readAlike } from '../../../kernel/lists/grouped-reads.js';
import type { List, OwnerId } from '../../../kernel/lists/list.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import { readPages } from '../../../kernel/lists/list-pages.js';
import { keepNested } from '../../../kernel/lists/nested-rows.js';
import type { NestedPage } from '../../../kernel/lists/read-along.js';
import type { Page } from '../../../kernel/paging.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { accessFailure } from '../access.errors.js';
import { ACTIONS, type Action } from '../actions.js';
import { authorize, authorizeOrganization, hasRole, permit, projectGate, readsWithProject } from '../guard.js';

/** The owner of the list, and the project whose roles decide who may see it; null for the organization's roles. */
export interface ListOwner {
  id: OwnerId;
  projectId: string | null;
}

const PAGES = Symbol('pages of lists');

/** Nothing besides the nodes, and all of them. */
const WHOLE = { nested: [], properties: null } as const;

interface PageRequest {
  list: List<object>;
  owner: OwnerId;
  args: ListArgs;
  where: FilterQuery<object>;
  found: FilterQuery<object> | null;
  counts: boolean;
  nested: readonly NestedPage[];
  properties: readonly string[] | null;
  /** Whether the owner is a project that is read with its rows. */
  isGated: boolean;
  /** The shared properties of pages that are read in one statement. */
  question: string;
}

/**
 * A page of an owner's list, for a field of the owner or of the query; a project is named by its id alone. All owners of one level with the
 * same arguments are read in one statement, which for a project's lists also determines whether the caller may see them. `found` as for
 * `readPages`. Fails like `authorize` and with `invalid_cursor`.
 */
export async function listOfOwner<T extends object>(
  operation: OperationContext,
  action: Action,
  list: List<T>,
  owner: string | ListOwner,
  args: ListArgs,
  where: FilterQuery<T> = {},
  found: FilterQuery<T> | null = null,
): Promise<Page<T>> {
  const { current: ctx } = operation;
  const { id, projectId } = typeof owner === 'string' ? { id: owner, projectId: owner } : owner;
  if (projectId === null) {
    authorizeOrganization(ctx, action);
    return pageOfOwner(operation, list, id, args, where);
  }
  const { nested, properties } = operation.selection?.nodes === list.name ? operation.selection : WHOLE;
  const isGated = id === projectId && readsWithProject(ctx, action, projectId);
  if (!isGated) await permit(ctx, action, projectId);
  const question = { list, owner: id, args, where, found, nested, properties, isGated };
  const page = await loadPage(operation, question).catch(async (error) => {
    // Only callers who may see the list learn what is wrong with the arguments.
    await authorize(ctx, action, projectId);
    throw error;
  });
  if (!page) throw accessFailure('project_not_found');
  if (isGated) await permit(ctx, action, projectId);
  for (const { along } of nested)
    if (!(await hasRole(ctx, projectId, ACTIONS[along.action as Action]))) return page as Page<T>;
  keepNested(ctx, page.nodes, nested);
  return page as Page<T>;
}

/** Like {@link listOfOwner}, for lists with their own permission check, which the caller of this function has made. */
export async function pageOfOwner<T extends object>(
  operation: OperationContext,
  list: List<T>,
  owner: OwnerId,
  args: ListArgs,
  where: FilterQuery<T>,
): Promise<Page<T>> {
  return (await loadPage(operation, { list, owner, args, where, found: null, ...WHOLE, isGated: false })) as Page<T>;
}

type Question<T extends object> = Pick<PageRequest, 'owner' | 'args' | 'nested' | 'properties' | 'isGated'> & {
  list: List<T>;
  where: FilterQuery<T>;
  found: FilterQuery<T> | null;
};

/** The page of an owner; null for a project that the caller can't see. */
function loadPage<T extends object>(operation: OperationContext, question: Question<T>): Promise<Page<object> | null> {
  const { list, args, where, found, nested, properties, isGated } = question;
  const counts = Boolean(operation.selection?.total);
  const along = nested.map(({ along: { list: own }, first, properties: read }) => [own.name, own.owner, first, read]);
  const key = conditionKey([
    list.name,
    list.owner,
    list.belonging?.sql,
    args,
    where,
    found,
    counts,
    isGated,
    along,
    properties,
  ]);
  // The loader takes queries of every list at once, so the type of this list's rows ends here.
  return pagesLoader(operation).load({ ...question, counts, question: key } as unknown as PageRequest);
}

function pagesLoader(operation: OperationContext) {
  return loader(
    operation,
    PAGES,
    (all: readonly PageRequest[]) =>
      readAlike(
        all,
        ({ question }) => question,
        (group) => readGroup(operation.current, group),
      ),
    ({ owner, question }) => `${JSON.stringify(owner)} ${question}`,
  );
}

function readGroup(ctx: Context, group: readonly [PageRequest, ...PageRequest[]]): Promise<(Page<object> | null)[]> {
  const { list, args, isGated, ...reading } = group[0];
  const owners = group.map(({ owner }) => owner);
  return readPages(ctx, list, owners, args, { ...reading, gate: isGated ? projectGate(ctx) : null });
}
