import { GraphQLJSON } from 'graphql-scalars';
import { Arg, Args, Extensions, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import type { ListArgs } from '../../kernel/lists/list-args.js';
import { connectionOf, type Page } from '../../kernel/paging.js';
import { type BulkAnswer, bulkAnswerOf, inBulk } from '../../kernel/refusal.js';
import { withoutEmailsInRules } from '../../kernel/targeting/conditions-without-emails.js';
import { beginningOf } from '../../kernel/text.js';
import { RedactedBelowEditor } from '../../kernel/values/email-redaction.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { EnvironmentType } from '../access/environment.js';
import { ListField, ProjectList } from '../access/graph/list-fields.js';
import { ReadsAlong } from '../access/graph/read-along.js';
import { IdInput, IdsInput } from '../access/ids.inputs.js';
import { Project } from '../access/projects/project.entity.js';
import { loadOnce } from '../access/visible-node.js';
import { CreateConfigItemInput, RollbackConfigItemInput, UpdateConfigItemInput } from './config.inputs.js';
import { ConfigRollback, ConfigRollbackPreview } from './config.results.js';
import { ConfigItem } from './config-item.entity.js';
import type { ConfigItemService } from './config-item.service.js';
import { CONFIG_RULES, CONFIG_VERSIONS, ConfigItemListArgs, ConfigVersionListArgs } from './config-lists.js';
import { ruleLoader } from './config-loaders.js';
import { ConfigRule } from './config-rule.entity.js';
import { ConfigVersion } from './config-version.entity.js';
import type { ConfigVersionService } from './config-version.service.js';
import type { ConfigExplainingService } from './rules/config-explaining.service.js';
import { ConfigExplanation, ConfigTargetingRule, ExplainConfigArgs } from './rules/config-rule.types.js';
import { type ItemRule, type RuleSnapshot, rulesOf } from './rules/item-rule.js';
import { rulesWithJson, rulesWithJsonWithoutEmails } from './rules/json-beside-text.js';
import { parseValue } from './value-types.js';

const ConfigItemConnection = connectionOf(ConfigItem, 'ConfigItem');
const ItemBulkAnswer = bulkAnswerOf(ConfigItem, 'ConfigItem');
const ConfigVersionConnection = connectionOf(ConfigVersion, 'ConfigVersion');

const PREVIEWED = 300;

const allRules = ({ type, furtherRules }: ConfigItem, rule: ConfigRule | null): readonly ConfigTargetingRule[] =>
  rulesWithJson(type, rulesOf(furtherRules, rule));

@Resolver(() => ConfigRollbackPreview)
export class ConfigRollbackFields {
  @FieldResolver(() => GraphQLJSON, { nullable: true, description: '`currentValue` as JSON.' })
  currentJson(@Root() { item, currentValue }: ConfigRollbackPreview): unknown {
    return parseValue(item.type, currentValue);
  }

  @FieldResolver(() => GraphQLJSON, { nullable: true, description: '`restoredValue` as JSON.' })
  restoredJson(@Root() { item, restoredValue }: ConfigRollbackPreview): unknown {
    return parseValue(item.type, restoredValue);
  }
}

@Resolver(() => ConfigRule)
export class ConfigRuleFields {
  @FieldResolver(() => GraphQLJSON, { nullable: true, description: '`value` as JSON.' })
  async json(@VerbContext() ctx: Context, @Root() { itemId, value }: ConfigRule): Promise<unknown> {
    const item = await loadOnce(ctx, ConfigItem, itemId);
    return item && parseValue(item.type, value);
  }
}

@Resolver(() => ConfigItem)
export class ConfigResolver {
  constructor(
    private readonly items: ConfigItemService,
    private readonly history: ConfigVersionService,
    private readonly explanations: ConfigExplainingService,
  ) {}

  @Query(() => ConfigItem)
  configItem(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<ConfigItem> {
    return this.items.get(ctx, id);
  }

  @Query(() => ConfigItem)
  configItemByKey(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID) projectId: string,
    @Arg('environment', () => EnvironmentType, { defaultValue: 'live' }) environment: Environment,
    @Arg('key') key: string,
  ): Promise<ConfigItem> {
    return this.items.getByKey(ctx, projectId, environment, key);
  }

  @Query(() => ConfigVersion, { description: 'A version of any config item by its id.' })
  configVersion(
    @VerbContext() ctx: Context,
    @Arg('id', () => ID, { description: 'The id of the version.' }) id: string,
  ): Promise<ConfigVersion> {
    return this.history.get(ctx, id);
  }

  @Query(() => ConfigRollbackPreview, {
    description: 'What a rollback to this version would change; nothing is stored.',
  })
  previewRollback(
    @VerbContext() ctx: Context,
    @Arg('itemId', () => ID) itemId: string,
    @Arg('versionId', () => ID) versionId: string,
  ): Promise<ConfigRollbackPreview> {
    return this.history.preview(ctx, itemId, versionId);
  }

  @FieldResolver(() => GraphQLJSON, { nullable: true, description: '`defaultValue` as JSON.' })
  value(@Root() { type, defaultValue }: Pick<ConfigItem, 'type' | 'defaultValue'>): unknown {
    return parseValue(type, defaultValue);
  }

  @Extensions({ madeOf: ['defaultValue'] })
  @FieldResolver(() => String, {
    description: `The first ${PREVIEWED} characters of \`defaultValue\`, for lists, with … behind them where there are more.`,
  })
  valuePreview(@Root() { defaultValue }: Pick<ConfigItem, 'defaultValue'>): string {
    return beginningOf(defaultValue, PREVIEWED);
  }

  @ReadsAlong(CONFIG_RULES, 'config.item.view', 'row')
  @FieldResolver(() => ConfigRule, {
    nullable: true,
    description: 'The first rule that has only a cohort as its condition, at 100 %.',
  })
  rule(@Root() item: ConfigItem, @Operation() operation: OperationContext): Promise<ConfigRule | null> {
    return ruleLoader(operation).load(item.id);
  }

  @ReadsAlong(CONFIG_RULES, 'config.item.view', allRules)
  @RedactedBelowEditor({
    redact: (rules: readonly ItemRule[], { type }: ConfigItem) => rulesWithJsonWithoutEmails(type, rules),
  })
  @FieldResolver(() => [ConfigTargetingRule], { description: 'Tried in order; the first match decides.' })
  async rules(
    @Root() item: ConfigItem,
    @Operation() operation: OperationContext,
  ): Promise<readonly ConfigTargetingRule[]> {
    return allRules(item, await ruleLoader(operation).load(item.id));
  }

  @ReadsAlong(CONFIG_VERSIONS, 'config.item.view')
  @ListField(() => ConfigVersionConnection, ConfigVersionListArgs, { description: 'Newest first.' })
  versions(operation: OperationContext, item: ConfigItem, args: ListArgs): Promise<Page<ConfigVersion>> {
    return this.history.listOf(operation, item, args);
  }

  @Query(() => ConfigExplanation, { description: 'Which rule decides the value for a person, and why.' })
  explainConfig(@VerbContext() ctx: Context, @Args() args: ExplainConfigArgs): Promise<ConfigExplanation> {
    return this.explanations.explain(ctx, args);
  }

  @Mutation(() => ConfigItem)
  createConfigItem(@VerbContext() ctx: Context, @Arg('input') input: CreateConfigItemInput): Promise<ConfigItem> {
    return this.items.create(ctx, input);
  }

  @Mutation(() => ConfigItem, { description: 'A new value or rule appends a version.' })
  updateConfigItem(@VerbContext() ctx: Context, @Arg('input') input: UpdateConfigItemInput): Promise<ConfigItem> {
    return this.items.update(ctx, input);
  }

  @Mutation(() => ConfigRollback, { description: 'Appends a version equal to an earlier one.' })
  rollbackConfigItem(
    @VerbContext() ctx: Context,
    @Arg('input') input: RollbackConfigItemInput,
  ): Promise<ConfigRollback> {
    return this.history.rollback(ctx, input);
  }

  @Mutation(() => ConfigItem)
  archiveConfigItem(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<ConfigItem> {
    return this.items.setArchived(ctx, input.id, true);
  }

  @Mutation(() => [ItemBulkAnswer], { description: 'In one transaction; rejected items are reported one by one.' })
  archiveConfigItems(@VerbContext() ctx: Context, @Arg('input') { ids }: IdsInput): Promise<BulkAnswer<ConfigItem>[]> {
    return inBulk(ids, (id) => this.items.setArchived(ctx, id, true));
  }

  @Mutation(() => ConfigItem)
  unarchiveConfigItem(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<ConfigItem> {
    return this.items.setArchived(ctx, input.id, false);
  }
}

@Resolver(() => Project)
export class ProjectConfigResolver {
  constructor(private readonly items: ConfigItemService) {}

  @ProjectList(() => ConfigItemConnection, ConfigItemListArgs, { query: 'Items of an environment, oldest first.' })
  configItems(operation: OperationContext, projectId: string, args: ConfigItemListArgs): Promise<Page<ConfigItem>> {
    return this.items.list(operation, projectId, args);
  }
}

@Resolver(() => ConfigVersion)
export class ConfigVersionFields {
  @FieldResolver(() => GraphQLJSON, { nullable: true, description: '`valueSnapshot` as JSON.' })
  value(@Root() { valueSnapshot }: Pick<ConfigVersion, 'valueSnapshot'>): unknown {
    return JSON.parse(valueSnapshot);
  }

  @FieldResolver(() => GraphQLJSON, { nullable: true, description: '`ruleSnapshot` as JSON.' })
  @RedactedBelowEditor({ redact: withoutEmailsInRules<RuleSnapshot | null>, projectOf: 'item' })
  rule(@Root() { ruleSnapshot }: Pick<ConfigVersion, 'ruleSnapshot'>): unknown {
    return ruleSnapshot === null ? null : JSON.parse(ruleSnapshot);
  }
}
