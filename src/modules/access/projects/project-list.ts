import { ArgsType } from 'type-graphql';
import { IdFilter, InstantFilter, TextFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { Project } from './project.entity.js';

export const PROJECTS = listOf(Project, {
  owner: 'organizationId',
  orders: { createdAt: ['createdAt'], updatedAt: ['updatedAt'], name: ['name'] },
  usualOrder: { field: 'createdAt', direction: 'asc' },
  filters: { id: IdFilter, name: TextFilter, createdAt: InstantFilter, updatedAt: InstantFilter },
  search: ['name'],
});

@ArgsType()
export class ProjectListArgs extends listArgs(PROJECTS) {}

export const ProjectConnection = connectionOf(Project, 'Project');
