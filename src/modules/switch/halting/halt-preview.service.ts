import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { inTurns } from '../../../kernel/turns/short-turns.js';
import { type CompiledFlag, compileFlags, evaluateFlag } from '../../../targeting/flags/compiled-flag.js';
import type { SubjectFacts } from '../../../targeting/subject.js';
import { definitionOf } from '../evaluation/flag-explaining.service.js';
import { flagSubject } from '../evaluation/flag-subject.js';
import type { Flag } from '../flags/flag.entity.js';
import type { FlagService } from '../flags/flag.service.js';
import type { HaltPreview } from './halt-preview.results.js';

/** Stored persons of an environment: all, or a sample of them. */
export type PersonSampler = (projectId: string, environment: Environment) => Promise<Persons>;

interface Persons {
  readonly persons: readonly SubjectFacts[];
  readonly total: number;
  readonly isCounted: boolean;
}

export class HaltPreviewService {
  constructor(
    private readonly flags: FlagService,
    private readonly sample: PersonSampler,
  ) {}

  /**
   * What would change if the flag were halted now, for persons as stored, without data known only from requests, such as the platform.
   * Fails with `flag_not_found`.
   */
  async preview(ctx: Context, flagId: string): Promise<HaltPreview> {
    const flag = await this.flags.rows.get(ctx, 'switch.flag.view', flagId);
    const needing = await this.flags.flagsNeeding(ctx, flag);
    const affected: [Flag, ...Flag[]] = [flag, ...needing];
    const others = await this.flags.flagsNeededFor(ctx, affected);
    const definitions = [...affected, ...others].map(definitionOf);
    const before = byKey(compileFlags(definitions));
    const after = byKey(
      compileFlags(definitions.map((each) => (each.key === flag.key ? { ...each, halted: true } : each))),
    );
    const { persons, total, isCounted } = await this.sample(flag.projectId, flag.environment);
    const pairs = affected.map(({ key }) => [before.get(key), after.get(key)] as [CompiledFlag, CompiledFlag]);
    const { changed, examined } = await countChanges(pairs, persons, ctx.now().getTime());
    const scale = examined > 0 ? total / examined : 0;
    return {
      consequences: affected.map((each, at) => ({
        flag: each,
        servesDefault: onlyVariant(pairs[at]?.[1] as CompiledFlag) === each.defaultVariant,
        persons: Math.round((changed[at] ?? 0) * scale),
      })),
      persons: total,
      isEstimate: !isCounted || examined < total,
    };
  }
}

/** For each pair of flags, the persons for whom they serve different variants. */
async function countChanges(
  pairs: readonly [CompiledFlag, CompiledFlag][],
  persons: readonly SubjectFacts[],
  now: number,
): Promise<{ changed: readonly number[]; examined: number }> {
  const changed = pairs.map(() => 0);
  const examined = await inTurns(persons, (person) => {
    const subject = flagSubject({ ...person, now });
    for (const [at, [before, after]] of pairs.entries()) {
      const isChanged = evaluateFlag(before, subject).variant !== evaluateFlag(after, subject).variant;
      if (isChanged) changed[at] = (changed[at] ?? 0) + 1;
    }
  });
  return { changed, examined };
}

/** The only variant that a flag serves to anyone, as far as its state and prerequisites determine it; null if several are possible. */
function onlyVariant({ outcomes, prerequisites }: CompiledFlag): string | null {
  const isCut = prerequisites.some(({ flag, variants }) => {
    const served = flag && onlyVariant(flag);
    return flag === null || (served !== null && !variants.has(served));
  });
  const possible = isCut ? outcomes.slice(-1) : outcomes;
  const [first] = possible;
  return possible.every(({ variant }) => variant === first?.variant) ? (first?.variant ?? null) : null;
}

function byKey(flags: readonly CompiledFlag[]): ReadonlyMap<string, CompiledFlag> {
  return new Map(flags.map((flag) => [flag.key, flag]));
}
