import { IdFilter, InstantFilter, TextFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { Organization } from './organization.entity.js';

/** The organizations a caller can open: few enough to list in a condition. */
export const ORGANIZATIONS = listOf(Organization, {
  owner: [],
  orders: { createdAt: ['createdAt'], name: ['name'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { id: IdFilter, name: TextFilter, createdAt: InstantFilter },
  search: ['name'],
});

export const OrganizationListArgs = listArgs(ORGANIZATIONS);

export const OrganizationConnection = connectionOf(Organization, 'Organization');
