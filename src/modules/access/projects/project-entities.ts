import { Entity } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { DatedEntity } from '../../../kernel/database/base-entity.js';
import { Column, EnumColumn } from '../../../kernel/database/column.js';
import { EnvironmentType } from '../environment.js';
import { Edge } from '../graph/edge.js';
import { Project } from './project.entity.js';

@ObjectType()
@Entity({ abstract: true })
export abstract class ProjectEntity extends DatedEntity {
  @Column('uuid')
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;
}

@ObjectType()
@Entity({ abstract: true })
export abstract class EnvironmentEntity extends ProjectEntity {
  @EnumColumn(EnvironmentType)
  environment!: Environment;
}

/** An entity that belongs to one environment of a project and has times of its own instead of its creation's. */
@ObjectType()
@Entity({ abstract: true })
export abstract class UndatedEnvironmentEntity {
  @Column('uuid')
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @EnumColumn(EnvironmentType)
  environment!: Environment;
}
