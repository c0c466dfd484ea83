import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { unlessTaken } from '../../../kernel/database/unless-taken.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import { isLongerThan, storableText } from '../../../kernel/text.js';
import { redactEmails, redactEmailsIn } from '../../../kernel/values/email-redaction.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { RuleDraft } from '../../../targeting/rules/complete-rule.js';
import type { Rule } from '../../../targeting/rules/rule.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize } from '../../access/guard.js';
import { ProjectRows } from '../../access/project-rows.js';
import type { Project } from '../../access/projects/project.entity.js';
import type { CreateCohortInput, UpdateCohortInput } from '../ingest.inputs.js';
import { peopleFailure } from '../people.errors.js';
import { Cohort } from './cohort.entity.js';
import { COHORTS } from './cohort-list.js';
import { parseCohortPredicate } from './cohort-predicate.js';
import { cohortRuleProblems, completeCohortRules } from './cohort-rules.js';

const MAX_NAME = 200;

export class CohortService {
  private readonly rows = new ProjectRows(Cohort, 'coh', () => peopleFailure('cohort_not_found'));

  constructor(private readonly events: EventLog) {}

  list(operation: OperationContext, projectId: string, args: ListArgs): Promise<Page<Cohort>> {
    return listOfOwner(operation, 'cohort.view', COHORTS, projectId, args);
  }

  /** Fails with `cohort_not_found`. */
  get(ctx: Context, id: string): Promise<Cohort> {
    return this.rows.get(ctx, 'cohort.view', id);
  }

  /** Fails with `bad_cohort_name`, `bad_cohort`, `bad_predicate`, `bad_audience`, `cohort_name_taken`. */
  async create(ctx: Context, input: CreateCohortInput): Promise<Cohort> {
    const project = await authorize(ctx, 'cohort.change', input.projectId);
    const now = ctx.now();
    const cohort = ctx.em.create(Cohort, { projectId: project.id, name: input.name, createdAt: now, updatedAt: now });
    define(cohort, input, now);
    await this.save(ctx, cohort);
    this.events.emitChange(ctx, 'ingest.cohort.created', aboutCohort(project, cohort), null, snapshot(cohort));
    return cohort;
  }

  /**
   * Absent fields stay unchanged; a predicate replaces a list of ids and rules, and vice versa. Fails like {@link create} and with
   * `cohort_not_found`.
   */
  async update(ctx: Context, id: string, input: UpdateCohortInput): Promise<Cohort> {
    const { row: cohort, project } = await this.rows.locked(ctx, 'cohort.change', id);
    const before = snapshot(cohort);
    define(cohort, input, ctx.now());
    await this.save(ctx, cohort);
    this.events.emitChange(ctx, 'ingest.cohort.changed', aboutCohort(project, cohort), before, snapshot(cohort));
    return cohort;
  }

  /** Fails with `cohort_not_found`. */
  async delete(ctx: Context, id: string): Promise<Cohort> {
    const { row: cohort, project } = await this.rows.locked(ctx, 'cohort.change', id);
    ctx.em.remove(cohort);
    this.events.emitChange(ctx, 'ingest.cohort.deleted', aboutCohort(project, cohort), snapshot(cohort), null);
    return cohort;
  }

  /** Removes ids from every list that contains them. */
  async forgetIds(ctx: Context, project: Project, ids: readonly string[]): Promise<void> {
    const gone = new Set(ids);
    const listed = await ctx.em.find(
      Cohort,
      { projectId: project.id, distinctIds: { $overlap: [...ids] } },
      { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    for (const cohort of listed) {
      const before = snapshot(cohort);
      cohort.distinctIds = cohort.distinctIds?.filter((id) => !gone.has(id)) ?? null;
      cohort.updatedAt = ctx.now();
      this.events.emitChange(ctx, 'ingest.cohort.changed', aboutCohort(project, cohort), before, snapshot(cohort));
    }
  }

  private async save(ctx: Context, cohort: Cohort): Promise<void> {
    await unlessTaken(ctx.em.flush(), () => peopleFailure('cohort_name_taken', { name: cohort.name }));
  }
}

const aboutCohort = (project: Project, cohort: Cohort) => ({
  project,
  object: { type: 'cohort', id: cohort.id },
  data: { id: cohort.id, name: cohort.name },
});

function define(cohort: Cohort, input: CreateCohortInput | UpdateCohortInput, now: Date): void {
  if (typeof input.name === 'string') cohort.name = storableText(input.name.trim());
  if (cohort.name.length < 1 || isLongerThan(cohort.name, MAX_NAME)) throw peopleFailure('bad_cohort_name');
  if (typeof input.description === 'string') cohort.description = storableText(input.description);
  defineMembers(cohort, input);
  if (cohort.predicate === null && cohort.distinctIds === null && cohort.rules === null)
    throw peopleFailure('bad_cohort');
  const parsed = cohort.predicate === null ? null : parseCohortPredicate(cohort.predicate);
  if (parsed && 'problem' in parsed) throw peopleFailure('bad_predicate', parsed.problem);
  cohort.updatedAt = now;
}

function defineMembers(cohort: Cohort, { members, ...beside }: CreateCohortInput | UpdateCohortInput): void {
  const { predicate, distinctIds, rules } = members ?? beside;
  const isListed = distinctIds != null || rules != null;
  if (typeof predicate === 'string' && isListed) throw peopleFailure('bad_cohort');
  if (members && [beside.predicate, beside.distinctIds, beside.rules].some((given) => given != null))
    throw peopleFailure('bad_cohort');
  if (members || typeof predicate === 'string') {
    cohort.predicate = typeof predicate === 'string' ? storableText(predicate) : null;
    cohort.distinctIds = null;
    cohort.rules = null;
  }
  if (!isListed) return;
  cohort.predicate = null;
  if (distinctIds) cohort.distinctIds = [...new Set(distinctIds.map(storableText))];
  if (rules) cohort.rules = rules.length > 0 ? checkedRules(rules) : null;
}

function checkedRules(drafts: readonly RuleDraft[]): readonly Rule[] {
  const rules = completeCohortRules(drafts);
  const problems = cohortRuleProblems(rules);
  if (problems.length > 0) throw peopleFailure('bad_audience', { problems });
  return rules;
}

/** What the audit log keeps: never the ids, which may be email addresses. */
const snapshot = ({ name, description, predicate, distinctIds, rules }: Cohort) => ({
  name,
  description,
  predicate: predicate === null ? null : redactEmails(predicate),
  ids: distinctIds?.length ?? null,
  ...(rules ? { rules: redactEmailsIn(rules) } : {}),
});
