import { Entity, Enum, Property } from '@mikro-orm/decorators/legacy';
import { Field, Float, ObjectType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { IdColumn } from '../../../kernel/database/column.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { Project } from '../../access/projects/project.entity.js';

@ObjectType({ description: 'Crash reporting settings of an environment.' })
@Entity({ tableName: 'crash_settings' })
export class CrashSettings {
  @IdColumn('uuid')
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text', primary: true })
  environment!: Environment;

  @Field(() => Float, {
    description:
      'Share of crash events that SDKs send, 0 to 1. They read it from the handshake; the server drops none.',
  })
  @Property({ type: 'double' })
  sampleRate!: number;

  @Field(() => Boolean, { description: 'Whether `missingSymbols` leaves out operating system libraries.' })
  @Property({ type: 'boolean', default: false })
  ignoresSystemImages!: boolean;

  @Property({ type: 'Date' })
  updatedAt!: Date;
}
