import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { commonFailure } from '../../kernel/errors.js';
import { isPrefixedId } from '../../kernel/ids.js';
import { findPage, type Page, type PageArgs } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import { authorize } from '../access/guard.js';
import type { Board } from './board.entity.js';
import { type BoardService, titleOf } from './board.service.js';
import { planFailure } from './plan.errors.js';
import { Ticket } from './ticket.entity.js';
import { mayMove, type TicketStatus } from './ticket-statuses.js';

export interface NewTicket {
  boardId: string;
  title: string;
  description?: string | null;
}

export interface TicketFilter {
  boardId?: string | null;
  projectId?: string | null;
  status?: TicketStatus | null;
}

/** Tickets and their way from open to done. */
export class TicketService {
  constructor(
    private readonly boards: BoardService,
    private readonly events: EventLog,
  ) {}

  /** Tickets of a board or of a whole project, newest first. Fails with `board_not_found`, `project_not_found`, `project_required`. */
  async list(ctx: Context, filter: TicketFilter, page: PageArgs): Promise<Page<Ticket>> {
    const where = { ...(await this.place(ctx, filter)), ...(filter.status ? { status: filter.status } : {}) };
    return findPage(ctx.em, Ticket, page, where, { id: 'desc' });
  }

  /** Fails with `board_not_found`, `bad_title`. */
  async create(ctx: Context, input: NewTicket): Promise<Ticket> {
    const board = await this.boards.visible(ctx, 'plan.ticket.change', input.boardId);
    return this.add(ctx, board, {
      title: titleOf(input.title, 'title'),
      description: storableText(input.description ?? ''),
    });
  }

  /** Stores a ticket of the board with its event. */
  add(ctx: Context, board: Board, content: Partial<Ticket> & Pick<Ticket, 'title'>): Ticket {
    const { id: boardId, projectId, organizationId } = board;
    const now = ctx.now();
    const ticket = ctx.em.create(Ticket, {
      description: '',
      ...content,
      boardId,
      projectId,
      organizationId,
      createdAt: now,
      updatedAt: now,
    });
    this.events.emit(ctx, 'plan.ticket.created', {
      organizationId,
      projectId,
      object: { type: 'ticket', id: ticket.id },
      data: { ticket_id: ticket.id, board_id: boardId, title: ticket.title, status: ticket.status },
    });
    return ticket;
  }

  /** Moving to the status that the ticket has changes nothing. Fails with `ticket_not_found`, `move_refused`. */
  async transition(ctx: Context, id: string, to: TicketStatus): Promise<Ticket> {
    const ticket = await this.locked(ctx, id);
    const from = ticket.status;
    if (from === to) return ticket;
    if (!mayMove(from, to)) throw planFailure('move_refused', { from, to });
    ticket.status = to;
    ticket.updatedAt = ctx.now();
    this.events.emit(ctx, 'plan.ticket.transitioned', {
      organizationId: ticket.organizationId,
      projectId: ticket.projectId,
      object: { type: 'ticket', id: ticket.id },
      data: { ticket_id: ticket.id, board_id: ticket.boardId, from, to },
      before: { status: from },
      after: { status: to },
    });
    return ticket;
  }

  private async place(
    ctx: Context,
    { boardId, projectId }: TicketFilter,
  ): Promise<{ boardId: string } | { projectId: string }> {
    if (typeof boardId === 'string')
      return { boardId: (await this.boards.visible(ctx, 'plan.board.view', boardId)).id };
    if (typeof projectId !== 'string') throw commonFailure('project_required');
    return { projectId: (await authorize(ctx, 'plan.board.view', projectId)).id };
  }

  private async locked(ctx: Context, id: unknown): Promise<Ticket> {
    const invisible = () => planFailure('ticket_not_found');
    const ticket = isPrefixedId('tkt', id) ? await ctx.em.findOne(Ticket, { id }) : null;
    if (!ticket) throw ctx.actor.kind === 'anonymous' ? commonFailure('unauthenticated') : invisible();
    await authorize(ctx, 'plan.ticket.change', ticket.projectId, invisible);
    await ctx.em.refresh(ticket, { lockMode: LockMode.PESSIMISTIC_WRITE });
    return ticket;
  }
}
