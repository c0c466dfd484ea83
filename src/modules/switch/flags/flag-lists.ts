import { ArgsType, Field } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import {
  BooleanFilter,
  enumFilter,
  InstantFilter,
  IntFilter,
  TextFilter,
} from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { EnvironmentFilter, EnvironmentType } from '../../access/environment.js';
import { Flag, FlagKindType } from './flag.entity.js';
import { FlagVersion } from './flag-version.entity.js';

export const FLAGS = listOf(Flag, {
  owner: 'projectId',
  parts: ['environment'],
  orders: { createdAt: ['createdAt'], updatedAt: ['updatedAt'], key: ['key'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: {
    key: TextFilter,
    environment: EnvironmentFilter,
    kind: enumFilter(FlagKindType, 'FlagKind'),
    isArchived: BooleanFilter,
    haltedAt: InstantFilter,
    createdAt: InstantFilter,
    updatedAt: InstantFilter,
  },
  search: ['key', 'description'],
});

export const FLAG_VERSIONS = listOf(FlagVersion, {
  owner: 'flagId',
  orders: { versionNumber: ['versionNumber'] },
  usualOrder: { field: 'versionNumber', direction: 'desc' },
  filters: { versionNumber: IntFilter, createdAt: InstantFilter },
});

export const FlagVersionListArgs = listArgs(FLAG_VERSIONS);

@ArgsType()
export class FlagListArgs extends listArgs(FLAGS) {
  @Field(() => EnvironmentType, { nullable: true, description: 'Defaults to both environments.' })
  environment?: Environment | null;

  @Field(() => Boolean, { nullable: true })
  includeArchived?: boolean | null;

  @Field(() => String, { nullable: true })
  keyPrefix?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Only flags that are `stale`, or only the others.' })
  stale?: boolean | null;
}
