import { Entity, Enum, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { Node } from '../../../kernel/node.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { ProjectKey } from '../../access/keys/project-key.entity.js';
import { Project } from '../../access/projects/project.entity.js';
import { WARNING_REASONS, type WarningReason } from './warning-reasons.js';

export const WarningReasonType = Object.fromEntries(
  Object.keys(WARNING_REASONS).map((reason) => [reason, reason]),
) as Record<WarningReason, WarningReason>;
registerEnumType(WarningReasonType, {
  name: 'IngestionWarningReason',
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
export class IngestionWarning {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id!: string;

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => ID)
  @Property({ type: 'uuid' })
  keyId!: string;

  @Edge(() => ProjectKey, 'keyId', 'The key that sent it, if you may see keys.')
  key?: ProjectKey;

  @Field(() => String, { deprecationReason: 'Use reasonCode, which is an enum.' })
  @Property({ type: 'text' })
  reason!: WarningReason;

  @Field(() => String, { description: 'As 2026-01-31.', deprecationReason: 'Use `date`.' })
  @Property({ type: 'date' })
  day!: string;

  @Property({ type: 'bigint' })
  count!: string;

  @Field(() => Date)
  @Property({ type: 'Date' })
  lastAt!: Date;
}
