import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { commonFailure } from '../../kernel/errors.js';
import { isPrefixedId } from '../../kernel/ids.js';
import { findPage, type Page, type PageArgs } from '../../kernel/paging.js';
import { storableText } from '../../kernel/text.js';
import type { Action } from '../access/actions.js';
import { authorize } from '../access/guard.js';
import { Board } from './board.entity.js';
import { planFailure } from './plan.errors.js';
import type { ScoreComparison } from './score-comparisons.js';
import { TriageRule } from './triage-rule.entity.js';

const MAX_TITLE = 200;

export interface NewTriageRule {
  boardId: string;
  surveyId: string;
  comparison: ScoreComparison;
  score: number;
}

/** A name or title from outside, storable. Fails with `bad_title`. */
export function titleOf(text: string, field: string): string {
  const title = storableText(text);
  if (title.trim() === '' || title.length > MAX_TITLE) throw planFailure('bad_title', { field });
  return title;
}

/** Knows whether the project has a survey with this id. */
export interface SurveyLookup {
  exists(ctx: Context, projectId: string, surveyId: string): Promise<boolean>;
}

/** Boards and the triage rules that fill them. */
export class BoardService {
  constructor(
    private readonly events: EventLog,
    private readonly surveys: SurveyLookup,
  ) {}

  /** Boards of a project, oldest first. */
  async list(ctx: Context, projectId: string, page: PageArgs): Promise<Page<Board>> {
    const project = await authorize(ctx, 'plan.board.view', projectId);
    return findPage(ctx.em, Board, page, { projectId: project.id }, { id: 'asc' });
  }

  /** Fails with `project_not_found`, `bad_title`. */
  async create(ctx: Context, input: { projectId: string; name: string }): Promise<Board> {
    const project = await authorize(ctx, 'plan.board.change', input.projectId);
    const name = titleOf(input.name, 'name');
    const board = ctx.em.create(Board, {
      projectId: project.id,
      organizationId: project.organizationId,
      name,
      createdAt: ctx.now(),
    });
    this.events.emit(ctx, 'plan.board.created', {
      organizationId: board.organizationId,
      projectId: board.projectId,
      object: { type: 'board', id: board.id },
      data: { id: board.id, name },
      after: { name },
    });
    return board;
  }

  /** From now on, responses to the survey whose score satisfies the comparison become tickets. Fails with `board_not_found`, `bad_survey_id`. */
  async createTriageRule(ctx: Context, input: NewTriageRule): Promise<TriageRule> {
    const board = await this.visible(ctx, 'plan.board.change', input.boardId);
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
    this.events.emit(ctx, 'plan.triage_rule.created', {
      organizationId: board.organizationId,
      projectId: board.projectId,
      object: { type: 'triage_rule', id: rule.id },
      data: { id: rule.id, board_id: board.id, survey_id: surveyId },
      after: { comparison, score },
    });
    return rule;
  }

  /** The board, if the caller sees it and may do this. Fails with `board_not_found`, `permission_denied`. */
  async visible(ctx: Context, action: Action, id: unknown): Promise<Board> {
    const invisible = () => planFailure('board_not_found');
    const board = isPrefixedId('brd', id) ? await ctx.em.findOne(Board, { id }) : null;
    if (!board) throw ctx.actor.kind === 'anonymous' ? commonFailure('unauthenticated') : invisible();
    await authorize(ctx, action, board.projectId, invisible);
    return board;
  }
}
