import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { Node } from '../../../kernel/node.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';

/** A row of the table `crash_profile`, which is only written in SQL. */
@GraphNode<CrashProfile>({ view: 'catch.profile.view', actions: ['catch.profile.download'] })
@ObjectType({ implements: Node, description: 'A profile as a client sent it.' })
@Entity({ tableName: 'crash_profile' })
export class CrashProfile {
  @IdColumn('uuid')
  id!: string;

  @Column('uuid')
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @EnumColumn(EnvironmentType)
  environment!: Environment;

  @Column('bigint')
  sizeBytes!: string;

  @Property({ type: 'text' })
  storagePath!: string;

  @Column('Date')
  receivedAt!: Date;
}
