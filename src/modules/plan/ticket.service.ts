import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { commonFailure } from '../../kernel/errors.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { type ListOwner, listOfOwner } from '../access/graph/list-edge.js';
import { ProjectRows } from '../access/project-rows.js';
import type { Board } from './board.entity.js';
import type { BoardService } from './board.service.js';
import { planFailure } from './plan.errors.js';
import type { CreateTicketInput, UpdateTicketInput } from './plan.inputs.js';
import { TICKETS, TICKETS_OF_BOARD, TICKETS_OF_RESPONSE, TICKETS_OF_RULE, type TicketListArgs } from './plan-lists.js';
import { Ticket } from './ticket.entity.js';
import { mayMove, type TicketStatus } from './ticket-statuses.js';
import { titleOf } from './title.js';
import type { TriageRule } from './triage-rule.entity.js';

/** The owner of the tickets: a board or a whole project. */
export interface TicketPlace {
  boardId?: string | null;
  projectId?: string | null;
}

export class TicketService {
  private readonly rows = new ProjectRows(Ticket, 'tkt', () => planFailure('ticket_not_found'));

  constructor(
    private readonly boards: BoardService,
    private readonly events: EventLog,
  ) {}

  /** Tickets of a board or of a whole project, newest first. Fails with `board_not_found`, `project_not_found`, `project_required`. */
  async list(
    operation: OperationContext,
    { boardId, projectId }: TicketPlace,
    args: TicketListArgs,
  ): Promise<Page<Ticket>> {
    if (typeof boardId === 'string')
      return this.ofBoard(operation, await this.boards.rows.get(operation.current, 'plan.board.view', boardId), args);
    if (typeof projectId !== 'string') throw commonFailure('project_required');
    return listOfOwner(operation, 'plan.board.view', TICKETS, projectId, args, {}, ofStatus(args));
  }

  ofBoard(operation: OperationContext, board: Board, args: TicketListArgs): Promise<Page<Ticket>> {
    return listOfOwner(operation, 'plan.board.view', TICKETS_OF_BOARD, board, args, {}, ofStatus(args));
  }

  ofRule(operation: OperationContext, rule: TriageRule, args: ListArgs): Promise<Page<Ticket>> {
    return listOfOwner(operation, 'plan.board.view', TICKETS_OF_RULE, rule, args);
  }

  ofResponse(operation: OperationContext, response: ListOwner, args: ListArgs): Promise<Page<Ticket>> {
    return listOfOwner(operation, 'plan.board.view', TICKETS_OF_RESPONSE, response, args);
  }

  /** Fails with `ticket_not_found`. */
  get(ctx: Context, id: unknown): Promise<Ticket> {
    return this.rows.get(ctx, 'plan.board.view', id);
  }

  /** Fails with `board_not_found`, `bad_title`. */
  async create(ctx: Context, input: CreateTicketInput): Promise<Ticket> {
    const board = await this.boards.staying(ctx, 'plan.ticket.change', input.boardId);
    return this.add(ctx, board, {
      title: titleOf(input.title, 'title'),
      description: storableText(input.description ?? ''),
    });
  }

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
    this.events.emitChange(ctx, 'plan.ticket.created', aboutTicket(ticket), null, contentOf(ticket));
    return ticket;
  }

  /** Moving a ticket to its current status changes nothing. Fails with `ticket_not_found`, `move_refused`. */
  async transition(ctx: Context, id: string, to: TicketStatus): Promise<Ticket> {
    const { row: ticket } = await this.rows.locked(ctx, 'plan.ticket.change', id);
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

  /** Changes the given fields. Fails with `ticket_not_found`, `bad_title`. */
  async update(ctx: Context, input: UpdateTicketInput): Promise<Ticket> {
    const { row: ticket } = await this.rows.locked(ctx, 'plan.ticket.change', input.id);
    const before = contentOf(ticket);
    if (typeof input.title === 'string') ticket.title = titleOf(input.title, 'title');
    if (typeof input.description === 'string') ticket.description = storableText(input.description);
    ticket.updatedAt = ctx.now();
    this.events.emitChange(ctx, 'plan.ticket.changed', aboutTicket(ticket), before, contentOf(ticket));
    return ticket;
  }

  /** Fails with `ticket_not_found`. */
  async delete(ctx: Context, id: string): Promise<{ id: string }> {
    const { row: ticket } = await this.rows.locked(ctx, 'plan.ticket.change', id);
    this.events.emitChange(ctx, 'plan.ticket.deleted', aboutTicket(ticket), contentOf(ticket), null);
    ctx.em.remove(ticket);
    return { id: ticket.id };
  }
}

const aboutTicket = ({ id, boardId, projectId, organizationId, title, status }: Ticket) => ({
  organizationId,
  projectId,
  object: { type: 'ticket', id },
  data: { ticket_id: id, board_id: boardId, title, status },
});

const contentOf = ({ title, description }: Ticket) => ({ title, description });

const ofStatus = ({ status }: TicketListArgs) => (status ? { status } : null);
