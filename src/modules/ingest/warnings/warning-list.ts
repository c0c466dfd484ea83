import { ArgsType, Field } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { enumFilter, IdFilter, InstantFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { EnvironmentType } from '../../access/environment.js';
import { IngestionWarning, WarningReasonType } from './ingestion-warning.entity.js';

export const INGESTION_WARNINGS = listOf(IngestionWarning, {
  owner: 'projectId',
  orders: { day: ['day'] },
  usualOrder: { field: 'day', direction: 'desc' },
  filters: { reason: enumFilter(WarningReasonType, 'IngestionWarningReason'), keyId: IdFilter, lastAt: InstantFilter },
});

/** Warnings about what a key sent. */
export const KEY_WARNINGS: typeof INGESTION_WARNINGS = { ...INGESTION_WARNINGS, owner: 'keyId' };

@ArgsType()
export class PlainWarningArgs extends listArgs(INGESTION_WARNINGS) {}

@ArgsType()
export class WarningListArgs extends PlainWarningArgs {
  @Field(() => EnvironmentType, { defaultValue: 'live' })
  environment!: Environment;

  @Field(() => String, { nullable: true, deprecationReason: 'Use `filter: { reason: { eq } }`.' })
  reason?: string | null;
}
