import { type FilterQuery, LockMode, raw } from '@mikro-orm/postgresql';
import type { EventLog } from '../../../events/event-log.js';
import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { startingWith } from '../../../kernel/database/like-pattern.js';
import { setFields } from '../../../kernel/database/set-fields.js';
import { unlessTaken } from '../../../kernel/database/unless-taken.js';
import { isPrefixedId, isUuid } from '../../../kernel/ids.js';
import { asksFor } from '../../../kernel/lists/field-filters.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import { type BulkAnswer, inBulk } from '../../../kernel/refusal.js';
import { storableJson, storableText } from '../../../kernel/text.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { inOrderOfNeed } from '../../../targeting/prerequisites/order-of-need.js';
import type { Action } from '../../access/actions.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize, mayIn } from '../../access/guard.js';
import { authorizeRow, ProjectRows } from '../../access/project-rows.js';
import type { Project } from '../../access/projects/project.entity.js';
import { isStaleSql } from '../../quotas/decisions/staleness.js';
import { servedByInterval, totalOf } from '../../quotas/decisions/stored-usage.js';
import { type UsageArgs, type UsageTime, usageTime } from '../../quotas/decisions/usage-time.js';
import { flagVersionFailure, switchFailure } from '../switch.errors.js';
import type { CreateFlagInput, FlagPartsInput, UpdateFlagInput } from '../switch.inputs.js';
import { FLAG_ID_PREFIX, Flag } from './flag.entity.js';
import { completeFlag, type FlagDraft } from './flag-draft.js';
import { appendFlagVersion, flagRecord } from './flag-history.js';
import { type FlagKindName, valueText } from './flag-kinds.js';
import { FLAG_VERSIONS, FLAGS, type FlagListArgs } from './flag-lists.js';
import { dependentFlags } from './flag-loaders.js';
import { checkNeeds, lockNeeds, type NeededFlag } from './flag-needs.js';
import { FlagVersion } from './flag-version.entity.js';

const KEY = /^[A-Za-z0-9._:-]{1,200}$/;

/** Flags and what they serve. Every change to what they serve appends a version in the same transaction. */
export class FlagService {
  readonly rows = new ProjectRows(Flag, FLAG_ID_PREFIX, () => switchFailure('flag_not_found'));

  constructor(private readonly events: EventLog) {}

  list(operation: OperationContext, projectId: string, args: FlagListArgs): Promise<Page<Flag>> {
    return listOfOwner(operation, 'switch.flag.view', FLAGS, projectId, args, {
      ...(args.environment ? { environment: args.environment } : {}),
      ...(args.includeArchived || asksFor(args, 'isArchived') ? {} : { isArchived: false }),
      ...(args.keyPrefix ? { key: { $like: startingWith(args.keyPrefix) } } : {}),
      ...(args.stale == null ? {} : (staleness(args.stale, operation.current.now()) as object)),
    });
  }

  get(ctx: Context, id: string): Promise<Flag> {
    return this.rows.get(ctx, 'switch.flag.view', id);
  }

  /** Fails with `flag_version_not_found`. */
  async version(ctx: Context, id: string): Promise<FlagVersion> {
    const version = isUuid(id) ? await ctx.em.findOne(FlagVersion, { id }) : null;
    const flag = version && (await ctx.em.findOne(Flag, { id: version.flagId }));
    await authorizeRow(ctx, 'switch.flag.view', flag, () => flagVersionFailure('flag_version_not_found'));
    return version as FlagVersion;
  }

  /** Fails with `flag_not_found`. */
  async getByKey(ctx: Context, projectId: string, environment: Environment, key: string): Promise<Flag> {
    const project = await authorize(ctx, 'switch.flag.view', projectId);
    const flag = await ctx.em.findOne(Flag, { projectId: project.id, environment, key });
    if (!flag) throw switchFailure('flag_not_found');
    return flag;
  }

  /** How often all flags of an environment were served, archived ones too. Fails with `bad_usage_time`. */
  async usage(ctx: Context, projectId: string, environment: Environment, args: UsageArgs): Promise<ServedOverTime> {
    const project = await authorize(ctx, 'switch.flag.view', projectId);
    const time = usageTime(args, ctx.now());
    const ids = {
      sql: 'select id::text from flag where project_id = ? and environment = ?',
      params: [project.id, environment],
    };
    const counts = await servedByInterval(ctx, ids, time);
    const { from, to, interval } = time;
    return { from, to, interval, total: totalOf(counts), counts };
  }

  /** The flags that flags of one environment depend on, directly or indirectly, each once and without the given ones. */
  async flagsNeededFor(ctx: Context, flags: readonly [Flag, ...Flag[]]): Promise<Flag[]> {
    const [{ projectId, environment }] = flags;
    const known = new Map(flags.map((flag) => [flag.key, flag]));
    for (let asking: readonly Flag[] = flags; asking.length > 0; ) {
      const keys = asking.flatMap(({ prerequisites }) => prerequisites.map(({ key }) => key));
      const wanted = [...new Set(keys)].filter((key) => !known.has(key));
      asking = wanted.length > 0 ? await ctx.em.find(Flag, { projectId, environment, key: { $in: wanted } }) : [];
      for (const needed of asking) known.set(needed.key, needed);
    }
    return [...known.values()].slice(flags.length);
  }

  /** The active flags that depend on a flag of the caller, directly or indirectly, by key. */
  async flagsNeeding(ctx: Context, flag: Flag): Promise<Flag[]> {
    const asking = await dependentFlags(ctx.em, [flag]);
    const reached = new Set([flag.key]);
    for (const { key, prerequisites } of inOrderOfNeed(asking)) {
      if (prerequisites.some((needed) => reached.has(needed.key))) reached.add(key);
    }
    return asking.filter(({ key }) => key !== flag.key && reached.has(key));
  }

  versions(operation: OperationContext, flag: Flag, args: ListArgs): Promise<Page<FlagVersion>> {
    return listOfOwner(operation, 'switch.flag.view', FLAG_VERSIONS, flag, args);
  }

  /** A new flag with its version 1. Fails with `bad_flag_key`, `flag_key_taken`, `invalid_flag`. */
  async create(ctx: Context, input: CreateFlagInput): Promise<Flag> {
    const project = await authorize(ctx, 'switch.flag.change', input.projectId);
    if (!KEY.test(input.key)) throw switchFailure('bad_flag_key');
    const kind = input.kind ?? 'boolean';
    const served = servedBy(kind, null, input);
    if (served.prerequisites.length > 0) {
      await lockNeeds(ctx, { projectId: project.id, environment: input.environment });
      await checkNeeds(ctx, { projectId: project.id, environment: input.environment }, needed(input.key, served));
    }
    const flag = ctx.em.create(Flag, {
      projectId: project.id,
      environment: input.environment,
      key: input.key,
      kind,
      description: storableText(input.description ?? ''),
      ...served,
      currentVersion: 0,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    });
    appendFlagVersion(ctx, flag, 'created', storable(input.note));
    this.emit(ctx, 'switch.flag.created', project, flag, null);
    await unlessTaken(ctx.em.flush(), () => switchFailure('flag_key_taken', { key: input.key }));
    return flag;
  }

  /**
   * Changes the given fields. New variants, rules or defaults append a version; a new description alone doesn't. Fails with
   * `flag_not_found`, `flag_archived`, `flag_version_conflict`, `invalid_flag`, `flag_needed`.
   */
  async update(ctx: Context, input: UpdateFlagInput): Promise<Flag> {
    const concernsOthers = input.prerequisites != null || input.variants != null;
    const { flag, project } = await this.locked(ctx, 'switch.flag.change', input.flagId, concernsOthers);
    const { expectedVersion } = input;
    if (typeof expectedVersion === 'number' && expectedVersion !== flag.currentVersion)
      throw switchFailure('flag_version_conflict', { expected: expectedVersion, current: flag.currentVersion });
    if (flag.isArchived) throw switchFailure('flag_archived');
    const before = flagRecord(flag);
    const present = servedText(flag);
    const served = servedBy(flag.kind, flag, input);
    if (concernsOthers) await checkNeeds(ctx, flag, needed(flag.key, served));
    setFields(flag, served);
    if (typeof input.description === 'string') flag.description = storableText(input.description);
    flag.updatedAt = ctx.now();
    if (servedText(flag) !== present) appendFlagVersion(ctx, flag, 'changed', storable(input.note));
    this.emit(ctx, 'switch.flag.changed', project, flag, before);
    return flag;
  }

  /**
   * Archives a flag, so that it serves its default, or brings it back. Repeating it changes nothing. Fails with `flag_not_found`, with
   * `flag_needed` while other flags depend on it, and with `invalid_flag` if it is brought back but its prerequisites are gone.
   */
  async setArchived(ctx: Context, id: string, archived: boolean): Promise<Flag> {
    const { flag, project } = await this.locked(ctx, 'switch.flag.archive', id, true);
    if (flag.isArchived === archived) return flag;
    await checkNeeds(ctx, flag, needed(flag.key, flag, archived));
    const before = flagRecord(flag);
    flag.isArchived = archived;
    appendFlagVersion(ctx, flag, archived ? 'archived' : 'unarchived', null);
    this.emit(ctx, archived ? 'switch.flag.archived' : 'switch.flag.unarchived', project, flag, before);
    return flag;
  }

  /**
   * Archives several in the given order, since an earlier one may depend on a later one. Their environments' locks are taken first, in one
   * order, so that two callers can't deadlock.
   */
  async archiveAll(ctx: Context, ids: readonly string[]): Promise<BulkAnswer<Flag>[]> {
    const flags = await ctx.em.find(Flag, { id: { $in: ids.filter((id) => isPrefixedId(FLAG_ID_PREFIX, id)) } });
    const places = new Map(flags.map((flag) => [`${flag.projectId} ${flag.environment}`, flag]));
    for (const [, place] of [...places].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (await mayIn(ctx, 'switch.flag.archive', place.projectId)) await lockNeeds(ctx, place);
    return inBulk(ids, (id) => this.setArchived(ctx, id, true), 'given');
  }

  /**
   * A flag and its project, with the flag's row locked until the transaction ends, so that changes to one flag queue up; those that concern
   * other flags queue up with all such changes in the environment.
   */
  async locked(
    ctx: Context,
    action: Action,
    id: unknown,
    concernsOthers = false,
  ): Promise<{ flag: Flag; project: Project }> {
    const { row: flag, project } = await this.rows.visible(ctx, action, id);
    if (concernsOthers) await lockNeeds(ctx, flag);
    await ctx.em.refresh(flag, { lockMode: LockMode.PESSIMISTIC_WRITE });
    return { flag, project };
  }

  private emit(
    ctx: Context,
    kind: 'switch.flag.created' | 'switch.flag.changed' | 'switch.flag.archived' | 'switch.flag.unarchived',
    project: Project,
    flag: Flag,
    before: unknown,
  ): void {
    this.events.emit(ctx, kind, {
      project,
      environment: flag.environment,
      object: { type: 'flag', id: flag.id },
      data: { flag_id: flag.id, key: flag.key, version: flag.currentVersion },
      before,
      after: flagRecord(flag),
    });
  }
}

interface ServedOverTime extends Pick<UsageTime, 'from' | 'to' | 'interval'> {
  readonly total: number;
  readonly counts: readonly number[];
}

type Served = Pick<Flag, 'variants' | 'defaultVariant' | 'defaultValue' | 'rules' | 'prerequisites'>;

function staleness(isWanted: boolean, now: Date): FilterQuery<Flag> {
  const { sql, params } = isStaleSql(now);
  return { [raw(isWanted ? sql : `not (${sql})`, params)]: [] } as FilterQuery<Flag>;
}

/** What a flag serves after merging the given parts into its current state. Fails with `invalid_flag`. */
function servedBy(kind: FlagKindName, now: Served | null, parts: FlagPartsInput): Served {
  const { variants, rules, prerequisites } = parts;
  const given = storableJson({ variants, rules, prerequisites }) as Pick<
    FlagDraft,
    'variants' | 'rules' | 'prerequisites'
  >;
  const defaultGiven = parts.defaultVariant != null || parts.defaultValue != null;
  const { behaviour, problems } = completeFlag({
    kind,
    variants: given.variants ?? now?.variants,
    rules: given.rules ?? now?.rules,
    present: now?.rules,
    prerequisites: given.prerequisites ?? now?.prerequisites,
    defaultVariant: defaultGiven ? storable(parts.defaultVariant) : now?.defaultVariant,
    defaultValue: storable(parts.defaultValue),
  });
  if (problems.length > 0) throw switchFailure('invalid_flag', { problems });
  const chosen = behaviour.variants.find((variant) => variant.key === behaviour.defaultVariant);
  return { ...behaviour, defaultValue: valueText(chosen?.value) };
}

const servedText = ({ variants, defaultVariant, rules, prerequisites }: Flag): string =>
  JSON.stringify([variants, defaultVariant, rules, prerequisites]);

function needed(key: string, { variants, prerequisites }: Served, isArchived = false): NeededFlag {
  return { key, isArchived, variants: variants.map((variant) => variant.key), prerequisites };
}

const storable = (text: string | null | undefined): string | null =>
  typeof text === 'string' ? storableText(text) : null;
