import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import type { Page } from '../../kernel/paging.js';
import type { OperationContext } from '../../kernel/verb-context.js';
import { type ListOwner, listOfOwner } from '../access/graph/list-edge.js';
import { ProjectRows } from '../access/project-rows.js';
import type { Project } from '../access/projects/project.entity.js';
import type { Board } from './board.entity.js';
import type { BoardService } from './board.service.js';
import { planFailure } from './plan.errors.js';
import type { CreateTriageRuleInput, UpdateTriageRuleInput } from './plan.inputs.js';
import { TRIAGE_RULES, TRIAGE_RULES_OF_BOARD, TRIAGE_RULES_OF_SURVEY } from './plan-lists.js';
import { TriageRule } from './triage-rule.entity.js';

export interface SurveyLookup {
  exists(ctx: Context, projectId: string, surveyId: string): Promise<boolean>;
}

export class TriageRuleService {
  private readonly rows = new ProjectRows(TriageRule, 'trg', () => planFailure('triage_rule_not_found'));

  constructor(
    private readonly boards: BoardService,
    private readonly events: EventLog,
    private readonly surveys: SurveyLookup,
  ) {}

  list(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<TriageRule>> {
    return listOfOwner(operation, 'plan.board.view', TRIAGE_RULES, projectId, args);
  }

  ofBoard(operation: OperationContext, board: Board, args: ListArgs): Promise<Page<TriageRule>> {
    return listOfOwner(operation, 'plan.board.view', TRIAGE_RULES_OF_BOARD, board, args);
  }

  ofSurvey(operation: OperationContext, survey: ListOwner, args: ListArgs): Promise<Page<TriageRule>> {
    return listOfOwner(operation, 'plan.board.view', TRIAGE_RULES_OF_SURVEY, survey, args);
  }

  /** Fails with `triage_rule_not_found`. */
  get(ctx: Context, id: unknown): Promise<TriageRule> {
    return this.rows.get(ctx, 'plan.board.view', id);
  }

  /** From now on, responses to the survey with a matching score become tickets. Fails with `board_not_found`, `bad_survey_id`. */
  async create(ctx: Context, input: CreateTriageRuleInput): Promise<TriageRule> {
    const board = await this.boards.staying(ctx, 'plan.board.change', input.boardId);
    if (!(await this.surveys.exists(ctx, board.projectId, input.surveyId))) throw planFailure('bad_survey_id');
    const { surveyId, comparison, score } = input;
    const rule = ctx.em.create(TriageRule, {
      boardId: board.id,
      projectId: board.projectId,
      surveyId,
      comparison,
      score,
      createdAt: ctx.now(),
    });
    this.events.emitChange(ctx, 'plan.triage_rule.created', aboutRule(board, rule), null, settingsOf(rule));
    return rule;
  }

  /** Applies to responses from now on. Fails with `triage_rule_not_found`. */
  async update(ctx: Context, input: UpdateTriageRuleInput): Promise<TriageRule> {
    const { row: rule, project } = await this.rows.locked(ctx, 'plan.board.change', input.id);
    const before = settingsOf(rule);
    rule.comparison = input.comparison ?? rule.comparison;
    rule.score = input.score ?? rule.score;
    this.events.emitChange(ctx, 'plan.triage_rule.changed', aboutRule(project, rule), before, settingsOf(rule));
    return rule;
  }

  /** Its tickets stay. Fails with `triage_rule_not_found`. */
  async delete(ctx: Context, id: string): Promise<{ id: string }> {
    const { row: rule, project } = await this.rows.locked(ctx, 'plan.board.change', id);
    this.events.emitChange(ctx, 'plan.triage_rule.deleted', aboutRule(project, rule), settingsOf(rule), null);
    ctx.em.remove(rule);
    return { id: rule.id };
  }
}

const settingsOf = ({ comparison, score }: TriageRule) => ({ comparison, score });

const aboutRule = (
  { organizationId }: Pick<Project, 'organizationId'>,
  { id, boardId, projectId, surveyId }: TriageRule,
) => ({
  organizationId,
  projectId,
  object: { type: 'triage_rule', id },
  data: { id, board_id: boardId, survey_id: surveyId },
});
