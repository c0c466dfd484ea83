import { GraphQLBigInt } from 'graphql-scalars';
import { Arg, Args, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { EnvironmentType } from '../access/environment.js';
import { countedSince, lastUseLoader, servedSpansLoader } from '../quotas/decisions/last-use.js';
import { stalenessOf } from '../quotas/decisions/staleness.js';
import { addCounts, totalOf, usageOf } from '../quotas/decisions/stored-usage.js';
import { OutcomeCountFields, Staleness, UsageTimeFields } from '../quotas/decisions/usage.types.js';
import { UsageArgs, usageTime } from '../quotas/decisions/usage-time.js';
import { Flag } from './flags/flag.entity.js';
import type { FlagService } from './flags/flag.service.js';

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

@ObjectType({ description: 'How often all flags of an environment were served.' })
export class FlagsUsage extends UsageTimeFields {
  @Field(() => [GraphQLBigInt], { description: 'Per interval, oldest first.' })
  counts!: readonly number[];
}

/** Usage of flags (docs/targeting.md, Usage). */
@Resolver(() => Flag)
export class FlagUsageFields {
  constructor(private readonly flags: FlagService) {}

  @Query(() => FlagsUsage, {
    description: 'How often all flags of an environment were served; defaults to the last day, by hour.',
  })
  flagsUsage(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID) projectId: string,
    @Arg('environment', () => EnvironmentType, { defaultValue: 'live' }) environment: Environment,
    @Args() args: UsageArgs,
  ): Promise<FlagsUsage> {
    return this.flags.usage(ctx, projectId, environment, args);
  }

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
