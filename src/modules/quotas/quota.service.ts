import { LockMode } from '@mikro-orm/postgresql';
import type { EventLog } from '../../events/event-log.js';
import type { Context } from '../../kernel/context.js';
import { commonFailure } from '../../kernel/errors.js';
import { loader, type OperationContext } from '../../kernel/verb-context.js';
import { authorize } from '../access/guard.js';
import type { Operators } from '../access/operators.js';
import { METERS, type Meter, PLAN_LIMITS, type PlanLimits } from './limits.js';
import type { Metered } from './metering.js';
import { monthOf, nextMonth } from './month.js';
import { ProjectPlan } from './project-plan.entity.js';
import { QuotaUsage } from './quota-usage.entity.js';
import { quotaFailure } from './quotas.errors.js';
import type { SetProjectPlanInput } from './quotas.inputs.js';
import type { MeterUsage, ProjectUsage } from './usage.results.js';

const USAGES = Symbol('usages of projects');

export class QuotaService {
  constructor(
    private readonly events: EventLog,
    private readonly operators: Operators,
  ) {}

  /** The project's usage this month, with limits and reset time. */
  async usage(ctx: Context, projectId: string): Promise<ProjectUsage> {
    const project = await authorize(ctx, 'quota.view', projectId);
    return this.usageOf(ctx, project.id);
  }

  /** Like {@link usage}, for a field of projects: two statements for all of them. */
  async usageIn(operation: OperationContext, projectId: string): Promise<ProjectUsage> {
    await authorize(operation.current, 'quota.view', projectId);
    return loader(operation, USAGES, (ids: readonly string[]) => this.usagesOf(operation.current, ids)).load(projectId);
  }

  /**
   * Sets the plan of any project, for operators of the installation; overrides replace individual limits, and missing ones default to the
   * plan's. Fails with `operators_only`, `negative_limit`, `invalid_input`.
   */
  async setPlan(ctx: Context, input: SetProjectPlanInput): Promise<ProjectUsage> {
    const project = await this.operators.authorize(ctx, input.projectId);
    const overrides = input.overrides ?? {};
    for (const [name, limit] of Object.entries(overrides)) {
      if (typeof limit !== 'number') continue;
      if (limit < 0) throw quotaFailure('negative_limit', { path: `overrides.${name}` });
      if (!Number.isSafeInteger(limit)) {
        const problem = `must be a whole number, at most ${Number.MAX_SAFE_INTEGER}`;
        throw commonFailure('invalid_input', { problems: [{ path: `overrides.${name}`, problem }] });
      }
    }
    await ctx.em.lock(project, LockMode.PESSIMISTIC_WRITE);
    let row = await ctx.em.findOne(ProjectPlan, { projectId: project.id });
    const before = row && { plan: row.plan, ...limitsOf(row) };
    row ??= ctx.em.create(ProjectPlan, { projectId: project.id, plan: input.plan, updatedAt: ctx.now() });
    row.plan = input.plan;
    row.updatedAt = ctx.now();
    for (const name of [...METERS, 'symbolBytes'] as const) row[name] = bigint(overrides[name]);
    await ctx.em.flush();
    this.events.emit(ctx, 'quotas.plan.changed', {
      project,
      object: { type: 'project', id: project.id },
      data: { plan: row.plan },
      before,
      after: { plan: row.plan, ...limitsOf(row) },
    });
    return this.usageOf(ctx, project.id);
  }

  async limits(ctx: Context, projectId: string): Promise<PlanLimits> {
    return limitsOf(await ctx.em.findOne(ProjectPlan, { projectId }));
  }

  /** Notifies subscribers of each threshold that metering crossed, in the transaction of what was metered. */
  announceCrossed(ctx: Context, project: { id: string; organizationId: string }, meter: Meter, metered: Metered): void {
    for (const percent of metered.crossed) {
      this.events.emit(ctx, 'quotas.threshold.reached', {
        project,
        object: { type: 'project', id: project.id },
        data: {
          meter,
          percent,
          current: metered.current,
          limit: metered.limit ?? 0,
          resets_at: metered.resetsAt.toISOString(),
        },
      });
    }
  }

  private async usageOf(ctx: Context, projectId: string): Promise<ProjectUsage> {
    const [usage] = await this.usagesOf(ctx, [projectId]);
    return usage as ProjectUsage;
  }

  private async usagesOf(ctx: Context, ids: readonly string[]): Promise<ProjectUsage[]> {
    const projectId = { $in: [...ids] };
    const plans = await ctx.em.find(ProjectPlan, { projectId });
    const used = await ctx.em.find(QuotaUsage, { projectId, month: monthOf(ctx.now()) });
    return ids.map((id) =>
      presentUsage(
        ctx.now(),
        id,
        plans.find((plan) => plan.projectId === id) ?? null,
        used.filter((usage) => usage.projectId === id),
      ),
    );
  }
}

function presentUsage(
  now: Date,
  projectId: string,
  row: ProjectPlan | null,
  used: readonly QuotaUsage[],
): ProjectUsage {
  const limits = limitsOf(row);
  const meters = METERS.map((meter): MeterUsage => {
    const current = Number(used.find((usage) => usage.meter === meter)?.used ?? 0);
    return { meter, current, limit: limits[meter], resetsAt: nextMonth(now) };
  });
  return {
    projectId,
    plan: row?.plan ?? 'hobby',
    overrides: {
      events: overrideOf(row?.events),
      decisions: overrideOf(row?.decisions),
      responses: overrideOf(row?.responses),
      symbolBytes: overrideOf(row?.symbolBytes),
    },
    meters,
    symbolBytesLimit: limits.symbolBytes,
    retentionDays: limits.retentionDays,
  };
}

const bigint = (limit: number | null | undefined): string | null => (typeof limit === 'number' ? String(limit) : null);

const overrideOf = (limit: string | null | undefined): number | null => (limit == null ? null : Number(limit));

function limitsOf(row: ProjectPlan | null): PlanLimits {
  const plan = PLAN_LIMITS[row?.plan ?? 'hobby'];
  return {
    events: overrideOf(row?.events) ?? plan.events,
    decisions: overrideOf(row?.decisions) ?? plan.decisions,
    responses: overrideOf(row?.responses) ?? plan.responses,
    symbolBytes: overrideOf(row?.symbolBytes) ?? plan.symbolBytes,
    retentionDays: plan.retentionDays,
  };
}
