import { BoardService } from '../modules/plan/board.service.js';
import { PlanResolver } from '../modules/plan/plan.resolver.js';
import { BoardFields, ProjectPlanResolver, TriageRuleFields } from '../modules/plan/plan-fields.resolver.js';
import { TicketService } from '../modules/plan/ticket.service.js';
import { TriageService } from '../modules/plan/triage.service.js';
import { triageReaction } from '../modules/plan/triage-reaction.js';
import { type SurveyLookup, TriageRuleService } from '../modules/plan/triage-rule.service.js';
import { asSystem, type Composed, type Parts } from './parts.js';

export function composePlan({ tx, jobs, events }: Parts, surveys: SurveyLookup) {
  const boards = new BoardService(events);
  const rules = new TriageRuleService(boards, events, surveys);
  const tickets = new TicketService(boards, events);
  const triage = new TriageService(tickets);
  const services = { boards, tickets, triageRules: rules, triage };
  return {
    services,
    resolvers: [
      new PlanResolver(boards, rules, tickets),
      new ProjectPlanResolver(boards, tickets, rules),
      new BoardFields(tickets, rules),
      new TriageRuleFields(tickets),
    ],
    reactions: [triageReaction(triage, jobs)],
    jobHandlers: {
      'plan.triage_response': (response) => asSystem(tx, 'triage', (ctx) => triage.triage(ctx, response)),
    },
  } satisfies Composed<typeof services>;
}
