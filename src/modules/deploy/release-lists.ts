import { ArgsType, Field } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import { BooleanFilter, InstantFilter, TextFilter } from '../../kernel/lists/field-filters.js';
import { listOf } from '../../kernel/lists/list.js';
import { listArgs } from '../../kernel/lists/list-args.js';
import { EnvironmentType } from '../access/environment.js';
import { Release } from './release.entity.js';

export const RELEASES = listOf(Release, {
  owner: 'projectId',
  parts: ['environment'],
  orders: { createdAt: ['createdAt'], version: ['version'] },
  usualOrder: { field: 'createdAt', direction: 'desc' },
  filters: {
    version: TextFilter,
    commitSha: TextFilter,
    isCurrent: BooleanFilter,
    promotedAt: InstantFilter,
    createdAt: InstantFilter,
  },
  aliases: { current: 'isCurrent' },
  search: ['version', 'notes'],
});

@ArgsType()
export class ReleaseListArgs extends listArgs(RELEASES) {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;
}
