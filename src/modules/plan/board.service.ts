import { LockMode } from '@mikro-orm/core';
import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { isPrefixedId } from '../../kernel/ids.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import type { Action } from '../access/actions.js';
import { listOfOwner } from '../access/graph/list-edge.js';
import { authorize } from '../access/guard.js';
import { authorizeRow, lockRow } from '../access/project-rows.js';
import { Board } from './board.entity.js';
import { planFailure } from './plan.errors.js';
import { BOARDS } from './plan-lists.js';
import { Ticket } from './ticket.entity.js';
import { titleOf } from './title.js';
import { TriageRule } from './triage-rule.entity.js';

const invisible = () => planFailure('board_not_found');

export class BoardService {
  constructor(private readonly events: EventLog) {}

  /** Boards of a project, oldest first. */
  list(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<Board>> {
    return listOfOwner(operation, 'plan.board.view', BOARDS, { id: projectId, projectId }, args);
  }

  /** Fails with `board_not_found`. */
  get(ctx: Context, id: unknown): Promise<Board> {
    return this.visible(ctx, 'plan.board.view', id);
  }

  /** Fails with `project_not_found`, `bad_title`. */
  async create(ctx: Context, input: { projectId: string; name: string }): Promise<Board> {
    const project = await authorize(ctx, 'plan.board.change', input.projectId);
    const name = titleOf(input.name, 'name');
    const board = ctx.em.create(Board, {
      projectId: project.id,
      organizationId: project.organizationId,
      name,
      createdAt: ctx.now(),
    });
    this.events.emitChange(ctx, 'plan.board.created', aboutBoard(board), null, { name });
    return board;
  }

  /** Fails with `board_not_found`, `bad_title`. */
  async rename(ctx: Context, input: { id: string; name: string }): Promise<Board> {
    const board = await this.locked(ctx, input.id);
    const before = { name: board.name };
    board.name = titleOf(input.name, 'name');
    this.events.emitChange(ctx, 'plan.board.changed', aboutBoard(board), before, { name: board.name });
    return board;
  }

  /** Deletes it with its tickets and triage rules. Fails with `board_not_found`. */
  async delete(ctx: Context, id: string): Promise<{ id: string }> {
    const board = await this.locked(ctx, id);
    await ctx.em.nativeDelete(TriageRule, { boardId: board.id });
    const tickets = await ctx.em.nativeDelete(Ticket, { boardId: board.id });
    this.events.emitChange(ctx, 'plan.board.deleted', aboutBoard(board), { name: board.name, tickets }, null);
    ctx.em.remove(board);
    return { id: board.id };
  }

  /** The board, if the caller sees it and may do this. Fails with `board_not_found`, `permission_denied`. */
  async visible(ctx: Context, action: Action, id: unknown): Promise<Board> {
    const found = isPrefixedId('brd', id) ? await ctx.em.findOne(Board, { id }) : null;
    return (await authorizeRow(ctx, action, found, invisible)).row;
  }

  /** Like {@link visible}; the board can't be deleted before the transaction ends, while something is put on it. */
  async staying(ctx: Context, action: Action, id: unknown): Promise<Board> {
    const board = await this.visible(ctx, action, id);
    await lockRow(ctx, board, invisible, LockMode.PESSIMISTIC_READ);
    return board;
  }

  private async locked(ctx: Context, id: string): Promise<Board> {
    const board = await this.visible(ctx, 'plan.board.change', id);
    await lockRow(ctx, board, invisible);
    return board;
  }
}

const aboutBoard = ({ id, name, organizationId, projectId }: Board) => ({
  organizationId,
  projectId,
  object: { type: 'board', id },
  data: { id, name },
});
