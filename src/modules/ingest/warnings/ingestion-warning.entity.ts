import { Entity, Enum, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { EnvironmentType } from '../../access/keys/project-key.entity.js';
import type { WarningReason } from './warning-reasons.js';

@ObjectType({
  description: 'What ingestion dropped or changed without refusing it, counted per key, reason and day (UTC).',
})
@Entity({ tableName: 'ingestion_warning' })
@Unique({ name: 'ingestion_warning_unique', properties: ['projectId', 'environment', 'day', 'keyId', 'reason'] })
export class IngestionWarning {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => ID)
  @Property({ type: 'uuid' })
  keyId!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  reason!: WarningReason;

  @Field(() => String, { description: 'As 2026-01-31.' })
  @Property({ type: 'date' })
  day!: string;

  @Property({ type: 'bigint' })
  count!: string;

  @Field(() => Date)
  @Property({ type: 'Date' })
  lastAt!: Date;
}
