import { Entity, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { GraphQLDate } from 'graphql-scalars';
import { Field, ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { Node } from '../../../kernel/node.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { ProjectKey } from '../../access/keys/project-key.entity.js';
import { UndatedEnvironmentEntity } from '../../access/projects/project-entities.js';
import { WARNING_REASONS, type WarningReason } from './warning-reasons.js';

export const WarningReasonType = enumType('IngestionWarningReason', Object.keys(WARNING_REASONS), {
  valuesConfig: Object.fromEntries(
    Object.entries(WARNING_REASONS).map(([reason, description]) => [reason, { description }]),
  ),
});

@GraphNode<IngestionWarning>({ view: 'event.view' })
@ObjectType({
  implements: Node,
  description:
    'Something that ingestion dropped or changed without rejecting it, counted per key, reason and day (UTC).',
})
@Entity({ tableName: 'ingestion_warning' })
@Index({ name: 'ingestion_warning_key_index', properties: ['keyId', 'day', 'id'] })
@Unique({ name: 'ingestion_warning_unique', properties: ['projectId', 'environment', 'day', 'keyId', 'reason'] })
export class IngestionWarning extends UndatedEnvironmentEntity {
  @IdColumn('text')
  id!: string;

  @Column('uuid')
  keyId!: string;

  @Edge(() => ProjectKey, 'keyId', 'The key that sent it, if you may see keys.')
  key?: ProjectKey;

  @Column('text', { deprecationReason: 'Use reasonCode, which is an enum.' })
  @Field(() => WarningReasonType, { name: 'reasonCode' })
  reason!: WarningReason;

  @Field(() => String, { description: 'As 2026-01-31.', deprecationReason: 'Use `date`.' })
  @Field(() => GraphQLDate, { name: 'date', description: 'The day, in UTC.' })
  @Property({ type: 'date' })
  day!: string;

  @Property({ type: 'bigint' })
  count!: string;

  @Column('Date')
  lastAt!: Date;
}
