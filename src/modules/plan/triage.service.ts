import { LockMode } from '@mikro-orm/postgresql';
import type { JobPayload } from '../../jobs/catalog.js';
import type { Context } from '../../kernel/context.js';
import { Board } from './board.entity.js';
import { SCORE_COMPARISONS } from './score-comparisons.js';
import { Ticket } from './ticket.entity.js';
import type { TicketService } from './ticket.service.js';
import { TriageRule } from './triage-rule.entity.js';

export class TriageService {
  constructor(private readonly tickets: TicketService) {}

  /** Whether a rule of the project waits for responses to this survey. */
  async hasRules(ctx: Context, projectId: string, surveyId: string): Promise<boolean> {
    return (await ctx.em.count(TriageRule, { projectId, surveyId })) > 0;
  }

  /** One ticket for each rule that the response matches; a repeated response creates no second one. */
  async triage(ctx: Context, response: JobPayload<'plan.triage_response'>): Promise<Ticket[]> {
    const { projectId, responseId, surveyId, score } = response;
    if (score === null) return [];
    const rules = await ctx.em.find(TriageRule, { projectId, surveyId });
    const met = rules.filter((rule) => SCORE_COMPARISONS[rule.comparison].holds(score, rule.score));
    const made: Ticket[] = [];
    for (const rule of met) {
      if ((await ctx.em.count(Ticket, { triageRuleId: rule.id, responseId })) > 0) continue;
      const board = await ctx.em.findOne(Board, { id: rule.boardId }, { lockMode: LockMode.PESSIMISTIC_READ });
      if (board === null) continue;
      const { sign } = SCORE_COMPARISONS[rule.comparison];
      const title = `Survey response with score ${score} (rule: ${sign} ${rule.score})`;
      const description = `Survey ${surveyId}, response ${responseId}.`;
      made.push(this.tickets.add(ctx, board, { title, description, triageRuleId: rule.id, responseId }));
    }
    return made;
  }
}
