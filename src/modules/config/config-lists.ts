import type { FilterQuery } from '@mikro-orm/postgresql';
import { ArgsType, Field } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { startingWith } from '../../kernel/database/like-pattern.js';
import {
  asksFor,
  BooleanFilter,
  enumFilter,
  InstantFilter,
  IntFilter,
  TextFilter,
} from '../../kernel/lists/field-filters.js';
import { listOf } from '../../kernel/lists/list.js';
import { listArgs } from '../../kernel/lists/list-args.js';
import { EnvironmentType } from '../access/environment.js';
import { ConfigItem } from './config-item.entity.js';
import { ConfigRule } from './config-rule.entity.js';
import { ConfigVersion } from './config-version.entity.js';
import { ConfigValueType } from './value-types.js';

export const CONFIG_ITEMS = listOf(ConfigItem, {
  owner: 'projectId',
  parts: ['environment'],
  orders: { createdAt: ['createdAt'], updatedAt: ['updatedAt'], key: ['key'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: {
    key: TextFilter,
    type: enumFilter(ConfigValueType, 'ConfigValueType'),
    isArchived: BooleanFilter,
    currentVersion: IntFilter,
    createdAt: InstantFilter,
    updatedAt: InstantFilter,
  },
  search: ['key', 'description'],
});

export const CONFIG_VERSIONS = listOf(ConfigVersion, {
  owner: 'itemId',
  orders: { versionNumber: ['versionNumber'] },
  usualOrder: { field: 'versionNumber', direction: 'desc' },
  filters: { versionNumber: IntFilter, createdAt: InstantFilter },
});

export const CONFIG_RULES = listOf(ConfigRule, {
  owner: 'itemId',
  orders: { createdAt: ['createdAt'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
});

export const ConfigVersionListArgs = listArgs(CONFIG_VERSIONS);

@ArgsType()
export class ConfigItemListArgs extends listArgs(CONFIG_ITEMS) {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => Boolean, { nullable: true })
  includeArchived?: boolean | null;

  @Field(() => String, { nullable: true })
  keyPrefix?: string | null;
}

export const plainConditions = ({
  environment,
  includeArchived,
  keyPrefix,
  ...args
}: ConfigItemListArgs): FilterQuery<ConfigItem> => ({
  environment,
  ...(includeArchived || asksFor(args, 'isArchived') ? {} : { isArchived: false }),
  ...(keyPrefix ? { key: { $like: startingWith(keyPrefix) } } : {}),
});
