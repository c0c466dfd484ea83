import { Args, Field, FieldResolver, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { Operation, type OperationContext } from '../../kernel/verb-context.js';
import { countedSince, lastUseLoader, servedSpansLoader } from '../quotas/decisions/last-use.js';
import { stalenessOf } from '../quotas/decisions/staleness.js';
import { totalOf, usageOf } from '../quotas/decisions/stored-usage.js';
import { OutcomeCountFields, Staleness, UsageTimeFields } from '../quotas/decisions/usage.types.js';
import { UsageArgs, usageTime } from '../quotas/decisions/usage-time.js';
import { DEFAULT_OUTCOME } from './config-definitions.js';
import { ConfigItem } from './config-item.entity.js';
import { ruleLoader } from './config-loaders.js';

@ObjectType({ description: 'How often a rule of a version, or its default value, was served.' })
class ConfigRuleUsage extends OutcomeCountFields {
  @Field(() => Int)
  version!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Index among the rules of that version; null for the default value.',
  })
  ruleIndex!: number | null;
}

@ObjectType({ description: 'How often an item was served, by version and rule.' })
class ConfigItemUsage extends UsageTimeFields {
  @Field(() => [ConfigRuleUsage], { description: 'Counts by version and rule; the default value last.' })
  rules!: readonly ConfigRuleUsage[];
}

/** Usage of config items (docs/targeting.md, Usage). */
@Resolver(() => ConfigItem)
export class ConfigUsageFields {
  @FieldResolver(() => ConfigItemUsage, {
    description: 'How often it was served; defaults to the last day, by hour.',
  })
  async usage(
    @Root() { id }: Pick<ConfigItem, 'id'>,
    @Operation() operation: OperationContext,
    @Args() args: UsageArgs,
  ): Promise<ConfigItemUsage> {
    const { from, to, interval, ...time } = usageTime(args, operation.current.now());
    const counted = await usageOf(operation, id, { from, to, interval, ...time });
    const rules = counted.map(({ version, outcome, counts }) => {
      const ruleIndex = outcome === DEFAULT_OUTCOME ? null : Number(outcome);
      return { version, ruleIndex, counts, total: totalOf(counts) };
    });
    const last = Number.POSITIVE_INFINITY;
    rules.sort((one, other) => one.version - other.version || (one.ruleIndex ?? last) - (other.ruleIndex ?? last));
    return { from, to, interval, total: totalOf(rules.map(({ total }) => total)), rules };
  }

  @FieldResolver(() => Date, {
    nullable: true,
    description: 'When it was last served, accurate to ten seconds; null if never.',
  })
  lastEvaluatedAt(
    @Root() { id }: Pick<ConfigItem, 'id'>,
    @Operation() operation: OperationContext,
  ): Promise<Date | null> {
    return lastUseLoader(operation).load(id);
  }

  @FieldResolver(() => Staleness, { nullable: true, description: 'Null while it is in use, and for archived items.' })
  async stale(@Root() item: ConfigItem, @Operation() operation: OperationContext): Promise<Staleness | null> {
    if (item.isArchived) return null;
    const [lastAt, since, spans, rule] = await Promise.all([
      lastUseLoader(operation).load(item.id),
      countedSince(operation),
      servedSpansLoader(operation).load(item.id),
      ruleLoader(operation).load(item.id),
    ]);
    // An item without rules is meant to have the same value for everyone.
    const servedSpans = item.furtherRules || rule ? spans : [];
    return stalenessOf(
      { createdAt: item.createdAt, haltedAt: null, lastAt, countedSince: since, spans: servedSpans },
      operation.current.now(),
    );
  }
}
