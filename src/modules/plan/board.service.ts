import { LockMode } from '@mikro-orm/core';
import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import type { Action } from '../access/actions.js';
import { listOfOwner } from '../access/graph/list-edge.js';
import { authorize } from '../access/guard.js';
import { ProjectRows } from '../access/project-rows.js';
import { Board } from './board.entity.js';
import { planFailure } from './plan.errors.js';
import type { CreateBoardInput, UpdateBoardInput } from './plan.inputs.js';
import { BOARDS } from './plan-lists.js';
import { Ticket } from './ticket.entity.js';
import { titleOf } from './title.js';
import { TriageRule } from './triage-rule.entity.js';

export class BoardService {
  readonly rows = new ProjectRows(Board, 'brd', () => planFailure('board_not_found'));

  constructor(private readonly events: EventLog) {}

  list(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<Board>> {
    return listOfOwner(operation, 'plan.board.view', BOARDS, projectId, args);
  }

  /** Fails with `board_not_found`. */
  get(ctx: Context, id: unknown): Promise<Board> {
    return this.rows.get(ctx, 'plan.board.view', id);
  }

  /** Fails with `project_not_found`, `bad_title`. */
  async create(ctx: Context, input: CreateBoardInput): Promise<Board> {
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
  async rename(ctx: Context, input: UpdateBoardInput): Promise<Board> {
    const { row: board } = await this.rows.locked(ctx, 'plan.board.change', input.id);
    const before = { name: board.name };
    board.name = titleOf(input.name, 'name');
    this.events.emitChange(ctx, 'plan.board.changed', aboutBoard(board), before, { name: board.name });
    return board;
  }

  /** Deletes it with its tickets and triage rules. Fails with `board_not_found`. */
  async delete(ctx: Context, id: string): Promise<{ id: string }> {
    const { row: board } = await this.rows.locked(ctx, 'plan.board.change', id);
    await ctx.em.nativeDelete(TriageRule, { boardId: board.id });
    const tickets = await ctx.em.nativeDelete(Ticket, { boardId: board.id });
    this.events.emitChange(ctx, 'plan.board.deleted', aboutBoard(board), { name: board.name, tickets }, null);
    ctx.em.remove(board);
    return { id: board.id };
  }

  /** A board that can't be deleted before the transaction ends, while something is put on it. Fails with `board_not_found`. */
  async staying(ctx: Context, action: Action, id: unknown): Promise<Board> {
    return (await this.rows.locked(ctx, action, id, LockMode.PESSIMISTIC_READ)).row;
  }
}

const aboutBoard = ({ id, name, organizationId, projectId }: Board) => ({
  organizationId,
  projectId,
  object: { type: 'board', id },
  data: { id, name },
});
