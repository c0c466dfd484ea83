import { ArgsType, Field } from 'type-graphql';
import { enumFilter, IdFilter, InstantFilter, IntFilter, TextFilter } from '../../kernel/lists/field-filters.js';
import { type List, listOf } from '../../kernel/lists/list.js';
import { listArgs } from '../../kernel/lists/list-args.js';
import { Board } from './board.entity.js';
import { Ticket, TicketStatusType } from './ticket.entity.js';
import type { TicketStatus } from './ticket-statuses.js';
import { TriageRule } from './triage-rule.entity.js';

// Ids sort by creation.

export const BOARDS = listOf(Board, {
  owner: 'projectId',
  orders: { createdAt: ['id'], name: ['name'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { name: TextFilter, createdAt: InstantFilter },
  search: ['name'],
});

export const BoardListArgs = listArgs(BOARDS);

export const TICKETS = listOf(Ticket, {
  owner: 'projectId',
  orders: { createdAt: ['id'], updatedAt: ['updatedAt'] },
  usualOrder: { field: 'createdAt', direction: 'desc' },
  filters: {
    status: enumFilter(TicketStatusType, 'TicketStatus'),
    title: TextFilter,
    boardId: IdFilter,
    triageRuleId: IdFilter,
    responseId: IdFilter,
    createdAt: InstantFilter,
    updatedAt: InstantFilter,
  },
  found: ['status'],
  search: ['title', 'description'],
  mostCounted: 100_000,
});

export const TICKETS_OF_BOARD: List<Ticket> = { ...TICKETS, owner: 'boardId' };

export const TICKETS_OF_RULE: List<Ticket> = { ...TICKETS, owner: 'triageRuleId' };

export const TICKETS_OF_RESPONSE: List<Ticket> = { ...TICKETS, owner: 'responseId' };

@ArgsType()
export class PlainTicketArgs extends listArgs(TICKETS) {}

@ArgsType()
export class TicketListArgs extends PlainTicketArgs {
  @Field(() => TicketStatusType, { nullable: true, deprecationReason: 'Use `filter: { status: { eq } }`.' })
  status?: TicketStatus | null;
}

export const TRIAGE_RULES = listOf(TriageRule, {
  owner: 'projectId',
  orders: { createdAt: ['id'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { boardId: IdFilter, surveyId: IdFilter, score: IntFilter, createdAt: InstantFilter },
});

export const TRIAGE_RULES_OF_BOARD: List<TriageRule> = { ...TRIAGE_RULES, owner: 'boardId' };

export const TRIAGE_RULES_OF_SURVEY: List<TriageRule> = { ...TRIAGE_RULES, owner: 'surveyId' };

export const TriageRuleListArgs = listArgs(TRIAGE_RULES);
