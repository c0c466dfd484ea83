import { Arg, Args, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { connectionOf, type Page, PageArgs } from '../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { IdInput } from '../access/access.inputs.js';
import {
  ConfigItemsArgs,
  CreateConfigItemInput,
  RollbackConfigItemInput,
  UpdateConfigItemInput,
} from './config.inputs.js';
import { ConfigRollback, ConfigRollbackPreview } from './config.results.js';
import { ConfigItem } from './config-item.entity.js';
import type { ConfigItemService } from './config-item.service.js';
import { ruleLoader, versionLoader } from './config-loaders.js';
import { ConfigRule } from './config-rule.entity.js';
import { ConfigVersion } from './config-version.entity.js';
import type { ConfigVersionService } from './config-version.service.js';

const ConfigItemConnection = connectionOf(ConfigItem, 'ConfigItem');
const ConfigVersionConnection = connectionOf(ConfigVersion, 'ConfigVersion');

/** An item as its fields are resolved: lists bring the rule along. */
interface ResolvedItem {
  id: string;
  rule?: ConfigRule | null;
}

@Resolver(() => ConfigItem)
export class ConfigResolver {
  constructor(
    private readonly items: ConfigItemService,
    private readonly history: ConfigVersionService,
  ) {}

  @Query(() => ConfigItemConnection, { description: 'Items of an environment, oldest first.' })
  configItems(
    @VerbContext() ctx: Context,
    @Args(() => ConfigItemsArgs) args: ConfigItemsArgs,
  ): Promise<Page<ConfigItem>> {
    return this.items.list(ctx, args, args);
  }

  @Query(() => ConfigItem)
  configItem(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<ConfigItem> {
    return this.items.get(ctx, id);
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

  @FieldResolver(() => ConfigRule, { nullable: true })
  rule(
    @Root() item: ResolvedItem,
    @Operation() operation: OperationContext,
  ): Promise<ConfigRule | null> | ConfigRule | null {
    return item.rule === undefined ? ruleLoader(operation).load(item.id) : item.rule;
  }

  @FieldResolver(() => ConfigVersionConnection, { description: 'Newest first.' })
  versions(
    @Root() item: ResolvedItem,
    @Operation() operation: OperationContext,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<ConfigVersion>> {
    return versionLoader(operation).load({ itemId: item.id, first: page.first, after: page.after ?? null });
  }

  @Mutation(() => ConfigItem)
  createConfigItem(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateConfigItemInput) input: CreateConfigItemInput,
  ): Promise<ConfigItem> {
    return this.items.create(ctx, input);
  }

  @Mutation(() => ConfigItem, { description: 'A new value or rule appends a version.' })
  updateConfigItem(
    @VerbContext() ctx: Context,
    @Arg('input', () => UpdateConfigItemInput) input: UpdateConfigItemInput,
  ): Promise<ConfigItem> {
    return this.items.update(ctx, input);
  }

  @Mutation(() => ConfigRollback, { description: 'Appends a version equal to an earlier one.' })
  rollbackConfigItem(
    @VerbContext() ctx: Context,
    @Arg('input', () => RollbackConfigItemInput) input: RollbackConfigItemInput,
  ): Promise<ConfigRollback> {
    return this.history.rollback(ctx, input);
  }

  @Mutation(() => ConfigItem)
  archiveConfigItem(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<ConfigItem> {
    return this.items.setArchived(ctx, input.id, true);
  }

  @Mutation(() => ConfigItem)
  unarchiveConfigItem(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<ConfigItem> {
    return this.items.setArchived(ctx, input.id, false);
  }
}
