import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { type Deletion, deletionOf } from '../../kernel/node.js';
import type { Page } from '../../kernel/paging.js';
import { type BulkAnswer, bulkAnswerOf, inBulk } from '../../kernel/refusal.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { IdInput } from '../access/ids.inputs.js';
import { Board } from './board.entity.js';
import type { BoardService } from './board.service.js';
import {
  CreateBoardInput,
  CreateTicketInput,
  CreateTriageRuleInput,
  TicketsArgs,
  TransitionTicketInput,
  TransitionTicketsInput,
  UpdateBoardInput,
  UpdateTicketInput,
  UpdateTriageRuleInput,
} from './plan.inputs.js';
import { TicketConnection } from './plan-connections.js';
import { Ticket } from './ticket.entity.js';
import type { TicketService } from './ticket.service.js';
import { TriageRule } from './triage-rule.entity.js';
import type { TriageRuleService } from './triage-rule.service.js';

const TicketBulkAnswer = bulkAnswerOf(Ticket, 'Ticket');

const DeletedBoard = deletionOf('DeletedBoard');
const DeletedTriageRule = deletionOf('DeletedTriageRule');
const DeletedTicket = deletionOf('DeletedTicket');

@Resolver()
export class PlanResolver {
  constructor(
    private readonly boardsOf: BoardService,
    private readonly rulesOf: TriageRuleService,
    private readonly ticketsOf: TicketService,
  ) {}

  @Query(() => Board)
  board(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Board> {
    return this.boardsOf.get(ctx, id);
  }

  @Query(() => TriageRule)
  triageRule(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<TriageRule> {
    return this.rulesOf.get(ctx, id);
  }

  @Query(() => TicketConnection, { description: 'Tickets of a board or of a whole project, newest first.' })
  tickets(
    @Operation() operation: OperationContext,
    @Args() { projectId, boardId, ...args }: TicketsArgs,
  ): Promise<Page<Ticket>> {
    return this.ticketsOf.list(operation, { projectId, boardId }, args);
  }

  @Query(() => Ticket)
  ticket(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Ticket> {
    return this.ticketsOf.get(ctx, id);
  }

  @Mutation(() => Board)
  createBoard(@VerbContext() ctx: Context, @Arg('input') input: CreateBoardInput): Promise<Board> {
    return this.boardsOf.create(ctx, input);
  }

  @Mutation(() => Board)
  updateBoard(@VerbContext() ctx: Context, @Arg('input') input: UpdateBoardInput): Promise<Board> {
    return this.boardsOf.rename(ctx, input);
  }

  @Mutation(() => DeletedBoard, { description: 'Deletes its tickets and triage rules too.' })
  deleteBoard(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Deletion> {
    return this.boardsOf.delete(ctx, input.id);
  }

  @Mutation(() => TriageRule, { description: 'Responses to the survey with a matching score become tickets.' })
  createTriageRule(@VerbContext() ctx: Context, @Arg('input') input: CreateTriageRuleInput): Promise<TriageRule> {
    return this.rulesOf.create(ctx, input);
  }

  @Mutation(() => TriageRule, { description: 'Applies to responses from now on.' })
  updateTriageRule(@VerbContext() ctx: Context, @Arg('input') input: UpdateTriageRuleInput): Promise<TriageRule> {
    return this.rulesOf.update(ctx, input);
  }

  @Mutation(() => DeletedTriageRule, { description: 'Its tickets stay.' })
  deleteTriageRule(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Deletion> {
    return this.rulesOf.delete(ctx, input.id);
  }

  @Mutation(() => Ticket)
  createTicket(@VerbContext() ctx: Context, @Arg('input') input: CreateTicketInput): Promise<Ticket> {
    return this.ticketsOf.create(ctx, input);
  }

  @Mutation(() => Ticket)
  updateTicket(@VerbContext() ctx: Context, @Arg('input') input: UpdateTicketInput): Promise<Ticket> {
    return this.ticketsOf.update(ctx, input);
  }

  @Mutation(() => DeletedTicket)
  deleteTicket(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Deletion> {
    return this.ticketsOf.delete(ctx, input.id);
  }

  @Mutation(() => Ticket, { description: 'open, in_progress and done, one step forward or back.' })
  transitionTicket(@VerbContext() ctx: Context, @Arg('input') input: TransitionTicketInput): Promise<Ticket> {
    return this.ticketsOf.transition(ctx, input.id, input.status);
  }

  @Mutation(() => [TicketBulkAnswer], { description: 'In one transaction; rejected tickets are reported one by one.' })
  transitionTickets(
    @VerbContext() ctx: Context,
    @Arg('input') { ids, status }: TransitionTicketsInput,
  ): Promise<BulkAnswer<Ticket>[]> {
    return inBulk(ids, (id) => this.ticketsOf.transition(ctx, id, status));
  }
}
