import { Args, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { countedSince, lastUseLoader, servedSpansLoader } from '../quotas/decisions/last-use.js';
import { stalenessOf } from '../quotas/decisions/staleness.js';
import { addCounts, totalOf, usageOf } from '../quotas/decisions/stored-usage.js';
import { OutcomeCountFields, Staleness, UsageTimeFields } from '../quotas/decisions/usage.types.js';
import { UsageArgs, usageTime } from '../quotas/decisions/usage-time.js';
import { Flag } from './flags/flag.entity.js';

@ObjectType({ description: 'How often a variant was served, in all versions of the flag.' })
class FlagVariantUsage extends OutcomeCountFields {
  @Field(() => String)
  variant!: string;
}

@ObjectType({ description: 'How often a flag was served, by variant.' })
class FlagUsage extends UsageTimeFields {
  @Field(() => [FlagVariantUsage], { description: 'Variants that were served, by key.' })
  variants!: readonly FlagVariantUsage[];
}

/** Usage of flags (docs/targeting.md, Usage). */
@Resolver(() => Flag)
export class FlagUsageFields {
  @FieldResolver(() => FlagUsage, {
    description: 'How often it was served; defaults to the last day, by hour.',
  })
  async usage(
    @Root() { id }: Flag,
    @Operation() operation: OperationContext,
    @Args() args: UsageArgs,
  ): Promise<FlagUsage> {
    const { from, to, interval, ...time } = usageTime(args, operation.current.now());
    const counted = await usageOf(operation, id, { from, to, interval, ...time });
    const variants = [...Map.groupBy(counted, ({ outcome }) => outcome)].map(([variant, all]) => {
      const counts = addCounts(all);
      return { variant, counts, total: totalOf(counts) };
    });
    variants.sort((one, other) => (one.variant < other.variant ? -1 : 1));
    return { from, to, interval, total: totalOf(variants.map(({ total }) => total)), variants };
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description: 'When it was last served, accurate to ten seconds; null if never.',
  })
  lastEvaluatedAt(@Root() { id }: Flag, @Operation() operation: OperationContext): Promise<Date | null> {
    return lastUseLoader(operation).load(id);
  }

  @FieldResolver(() => Staleness, { nullable: true, description: 'Null while it is in use, and for archived flags.' })
  async stale(@Root() flag: Flag, @Operation() operation: OperationContext): Promise<Staleness | null> {
    if (flag.isArchived) return null;
    const [lastAt, since, spans] = await Promise.all([
      lastUseLoader(operation).load(flag.id),
      countedSince(operation),
      servedSpansLoader(operation).load(flag.id),
    ]);
    const { createdAt, haltedAt } = flag;
    return stalenessOf({ createdAt, haltedAt, lastAt, countedSince: since, spans }, operation.current.now());
  }
}
