import { Entity, Enum, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ID, ObjectType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
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
  @Field(() => ID)
  @PrimaryKey({ type: 'uuid' })
  id!: string;

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => GraphQLBigInt)
  @Property({ type: 'bigint' })
  sizeBytes!: string;

  @Property({ type: 'text' })
  storagePath!: string;

  @Field(() => Date)
  @Property({ type: 'Date' })
  receivedAt!: Date;
}
