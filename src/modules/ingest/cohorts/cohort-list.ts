import { InstantFilter, TextFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { Cohort } from './cohort.entity.js';

export const COHORTS = listOf(Cohort, {
  owner: 'projectId',
  orders: { name: ['name'], createdAt: ['createdAt'] },
  usualOrder: { field: 'name', direction: 'asc' },
  filters: { name: TextFilter, createdAt: InstantFilter },
  search: ['name', 'description'],
});

export const CohortListArgs = listArgs(COHORTS);
