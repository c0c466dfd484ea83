import { connectionOf } from '../../kernel/paging.js';
import { Board } from './board.entity.js';
import { Ticket } from './ticket.entity.js';
import { TriageRule } from './triage-rule.entity.js';

export const BoardConnection = connectionOf(Board, 'Board');
export const TicketConnection = connectionOf(Ticket, 'Ticket');
export const TriageRuleConnection = connectionOf(TriageRule, 'TriageRule');
