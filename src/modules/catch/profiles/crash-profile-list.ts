import { ArgsType, Field } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { InstantFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { EnvironmentType } from '../../access/environment.js';
import { CrashProfile } from './crash-profile.entity.js';

export const CRASH_PROFILES = listOf(CrashProfile, {
  owner: 'projectId',
  orders: { receivedAt: ['receivedAt'] },
  usualOrder: { field: 'receivedAt', direction: 'desc' },
  filters: { receivedAt: InstantFilter },
});

@ArgsType()
export class CrashProfileListArgs extends listArgs(CRASH_PROFILES) {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;
}

export const CrashProfileConnection = connectionOf(CrashProfile, 'CrashProfile');
