import { Arg, Args, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { connectionOf, type Page } from '../../kernel/paging.js';
import { VerbContext } from '../../kernel/verb-context.js';
import { Board } from './board.entity.js';
import type { BoardService } from './board.service.js';
import {
  BoardsArgs,
  CreateBoardInput,
  CreateTicketInput,
  CreateTriageRuleInput,
  TicketsArgs,
  TransitionTicketInput,
} from './plan.inputs.js';
import { Ticket } from './ticket.entity.js';
import type { TicketService } from './ticket.service.js';
import { TriageRule } from './triage-rule.entity.js';

const BoardConnection = connectionOf(Board, 'Board');
const TicketConnection = connectionOf(Ticket, 'Ticket');

@Resolver()
export class PlanResolver {
  constructor(
    private readonly boardsOf: BoardService,
    private readonly ticketsOf: TicketService,
  ) {}

  @Query(() => BoardConnection, { description: 'Boards of a project, oldest first.' })
  boards(@VerbContext() ctx: Context, @Args(() => BoardsArgs) args: BoardsArgs): Promise<Page<Board>> {
    return this.boardsOf.list(ctx, args.projectId, args);
  }

  @Query(() => TicketConnection, { description: 'Tickets of a board or of a whole project, newest first.' })
  tickets(@VerbContext() ctx: Context, @Args(() => TicketsArgs) args: TicketsArgs): Promise<Page<Ticket>> {
    return this.ticketsOf.list(ctx, args, args);
  }

  @Mutation(() => Board)
  createBoard(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateBoardInput) input: CreateBoardInput,
  ): Promise<Board> {
    return this.boardsOf.create(ctx, input);
  }

  @Mutation(() => TriageRule, { description: 'Responses of the survey whose score compares so become tickets.' })
  createTriageRule(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateTriageRuleInput) input: CreateTriageRuleInput,
  ): Promise<TriageRule> {
    return this.boardsOf.createTriageRule(ctx, input);
  }

  @Mutation(() => Ticket)
  createTicket(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateTicketInput) input: CreateTicketInput,
  ): Promise<Ticket> {
    return this.ticketsOf.create(ctx, input);
  }

  @Mutation(() => Ticket, { description: 'open, in_progress and done, one step forward or back.' })
  transitionTicket(
    @VerbContext() ctx: Context,
    @Arg('input', () => TransitionTicketInput) input: TransitionTicketInput,
  ): Promise<Ticket> {
    return this.ticketsOf.transition(ctx, input.id, input.status);
  }
}
