import type { ProjectEnvironment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { chainThrough, circleThrough } from '../../../targeting/prerequisites/order-of-need.js';
import type { Prerequisite } from '../../../targeting/prerequisites/prerequisite.js';
import { type Problem, RULE_LIMITS } from '../../../targeting/rules/rule-problems.js';
import { switchFailure } from '../switch.errors.js';

/** Limits of a flag's prerequisites, so that a decision stays cheap: other flags, and flags in a chain. */
const NEED_LIMITS = { prerequisites: 10, variants: 100, chain: 10 };

export interface NeededFlag {
  readonly key: string;
  readonly isArchived: boolean;
  readonly variants: readonly string[];
  readonly prerequisites: readonly Prerequisite[];
}

/** Queues up changes to prerequisites among an environment's flags, so that two of them can't close a cycle together. */
export async function lockNeeds({ em }: Context, { projectId, environment }: ProjectEnvironment): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 4))', [`${projectId} ${environment}`]);
}

/**
 * Rejects a flag about to be stored if its prerequisites are invalid, or if others depend on something it would no longer have. The caller
 * holds the lock of {@link lockNeeds}. Fails with `invalid_flag`, `flag_needed`.
 */
export async function checkNeeds(ctx: Context, place: ProjectEnvironment, flag: NeededFlag): Promise<void> {
  // Earlier changes in the same transaction must be visible.
  await ctx.em.flush();
  const rows = await ctx.em.execute<NeededFlag[]>(
    `select key, is_archived as "isArchived", prerequisites,
            array(select variant ->> 'key' from json_array_elements(variants) variant) as variants
       from flag where project_id = ? and environment = ? and key <> ?
        and (json_array_length(prerequisites) > 0 or key = any(array[?]::text[]))`,
    [place.projectId, place.environment, flag.key, [...flag.prerequisites.map(({ key }) => key), flag.key]],
  );
  const flags = new Map([...rows, flag].map((each) => [each.key, each]));
  const problems = flag.isArchived ? [] : prerequisiteProblems(flag, flags);
  if (problems.length > 0) throw switchFailure('invalid_flag', { problems });
  const needing = rows.filter((other) => !other.isArchived && isMissed(flag, other)).map(({ key }) => key);
  if (needing.length > 0) throw switchFailure('flag_needed', { flags: needing.sort() });
}

/** Completes prerequisites: duplicate variants are removed. */
export function completePrerequisites(given: readonly Prerequisite[]): Prerequisite[] {
  return given.map(({ key, variants }) => ({ key, variants: [...new Set(variants)] }));
}

/** What is wrong with prerequisites regardless of other flags. */
export function shapeProblems(prerequisites: readonly Prerequisite[]): Problem[] {
  const most = NEED_LIMITS.prerequisites;
  if (prerequisites.length > most)
    return [{ path: 'prerequisites', problem: `must not have more than ${most} entries` }];
  return prerequisites.flatMap(({ key, variants }, index) => {
    const path = `prerequisites[${index}]`;
    const problems: Problem[] = [];
    if (prerequisites.findIndex((other) => other.key === key) < index)
      problems.push({ path: `${path}.key`, problem: 'must be unique among the prerequisites' });
    if (variants.length < 1 || variants.length > NEED_LIMITS.variants)
      problems.push({ path: `${path}.variants`, problem: `must have 1 to ${NEED_LIMITS.variants} entries` });
    for (const [at, variant] of variants.entries()) {
      if (variant.length > RULE_LIMITS.textLength)
        problems.push({
          path: `${path}.variants[${at}]`,
          problem: `must have at most ${RULE_LIMITS.textLength} characters`,
        });
    }
    return problems;
  });
}

function prerequisiteProblems(flag: NeededFlag, flags: ReadonlyMap<string, NeededFlag>): Problem[] {
  const problems = flag.prerequisites.flatMap(({ key, variants }, index): Problem[] => {
    const path = `prerequisites[${index}]`;
    if (key === flag.key) return [{ path: `${path}.key`, problem: 'must be another flag' }];
    const needed = flags.get(key);
    if (!needed) return [{ path: `${path}.key`, problem: 'must be a flag of the same project and environment' }];
    if (needed.isArchived) return [{ path: `${path}.key`, problem: 'must not be archived' }];
    return variants.flatMap((variant, at) =>
      needed.variants.includes(variant)
        ? []
        : [{ path: `${path}.variants[${at}]`, problem: `must name one of the variants of ${key}` }],
    );
  });
  if (problems.length > 0) return problems;
  const circle = circleThrough(flag.key, flags);
  if (circle) return [{ path: 'prerequisites', problem: `must not lead back to the flag: ${circle.join(' → ')}` }];
  const length = chainThrough(flag.key, flags);
  if (length <= NEED_LIMITS.chain) return [];
  const problem = `must not make a chain of ${length} flags; the maximum is ${NEED_LIMITS.chain}`;
  return [{ path: 'prerequisites', problem }];
}

/** Whether another flag depends on something that a flag would no longer have. */
function isMissed(flag: NeededFlag, other: NeededFlag): boolean {
  return other.prerequisites.some(
    ({ key, variants }) =>
      key === flag.key && (flag.isArchived || variants.some((variant) => !flag.variants.includes(variant))),
  );
}
