import { ArgsType, Field } from 'type-graphql';
import { enumFilter, InstantFilter, TextFilter } from '../../kernel/lists/field-filters.js';
import { listOf } from '../../kernel/lists/list.js';
import { listArgs } from '../../kernel/lists/list-args.js';
import { ChangelogEntry, type EntryStatus, EntryStatusType } from './changelog-entry.entity.js';

export const CHANGELOG_ENTRIES = listOf(ChangelogEntry, {
  owner: 'projectId',
  orders: { createdAt: ['createdAt'] },
  usualOrder: { field: 'createdAt', direction: 'desc' },
  filters: {
    title: TextFilter,
    status: enumFilter(EntryStatusType, 'ChangelogEntryStatus'),
    publishedAt: InstantFilter,
    createdAt: InstantFilter,
  },
  search: ['title', 'body'],
});

@ArgsType()
export class ChangelogEntryListArgs extends listArgs(CHANGELOG_ENTRIES) {
  @Field(() => EntryStatusType, { nullable: true, deprecationReason: 'Use `filter: { status: { eq } }`.' })
  status?: EntryStatus | null;
}
