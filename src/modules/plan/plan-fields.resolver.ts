import { Resolver } from 'type-graphql';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { ListField, ProjectList } from '../access/graph/list-fields.js';
import { ReadsAlong } from '../access/graph/read-along.js';
import { Project } from '../access/projects/project.entity.js';
import { Board } from './board.entity.js';
import type { BoardService } from './board.service.js';
import { BoardConnection, TicketConnection, TriageRuleConnection } from './plan-connections.js';
import {
  BoardListArgs,
  PlainTicketArgs,
  TicketListArgs,
  TRIAGE_RULES_OF_BOARD,
  TriageRuleListArgs,
} from './plan-lists.js';
import type { Ticket } from './ticket.entity.js';
import type { TicketService } from './ticket.service.js';
import { TriageRule } from './triage-rule.entity.js';
import type { TriageRuleService } from './triage-rule.service.js';

@Resolver(() => Project)
export class ProjectPlanResolver {
  constructor(
    private readonly boardService: BoardService,
    private readonly ticketService: TicketService,
    private readonly rules: TriageRuleService,
  ) {}

  @ProjectList(() => TriageRuleConnection, TriageRuleListArgs, {
    field: 'Oldest first.',
    query: 'Triage rules of a project, oldest first.',
  })
  triageRules(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<TriageRule>> {
    return this.rules.list(operation, projectId, args);
  }

  @ProjectList(() => BoardConnection, BoardListArgs, { query: 'Boards of a project, oldest first.' })
  boards(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<Board>> {
    return this.boardService.list(operation, projectId, args);
  }

  @ListField(() => TicketConnection, TicketListArgs)
  tickets(operation: OperationContext, { id }: Project, args: TicketListArgs): Promise<Page<Ticket>> {
    return this.ticketService.list(operation, { projectId: id }, args);
  }
}

@Resolver(() => Board)
export class BoardFields {
  constructor(
    private readonly ticketService: TicketService,
    private readonly rules: TriageRuleService,
  ) {}

  @ListField(() => TicketConnection, TicketListArgs)
  tickets(operation: OperationContext, board: Board, args: TicketListArgs): Promise<Page<Ticket>> {
    return this.ticketService.ofBoard(operation, board, args);
  }

  @ReadsAlong(TRIAGE_RULES_OF_BOARD, 'plan.board.view')
  @ListField(() => TriageRuleConnection, TriageRuleListArgs)
  triageRules(operation: OperationContext, board: Board, args: ListArgs): Promise<Page<TriageRule>> {
    return this.rules.ofBoard(operation, board, args);
  }
}

@Resolver(() => TriageRule)
export class TriageRuleFields {
  constructor(private readonly ticketService: TicketService) {}

  @ListField(() => TicketConnection, PlainTicketArgs, { description: 'Tickets created by it, newest first.' })
  tickets(operation: OperationContext, rule: TriageRule, args: ListArgs): Promise<Page<Ticket>> {
    return this.ticketService.ofRule(operation, rule, args);
  }
}
