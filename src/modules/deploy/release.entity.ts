import { Entity, Enum, Index, Property, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { Field, ID, ObjectType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../kernel/actor.js';
import { UuidEntity } from '../../kernel/database/base-entity.js';
import { Node } from '../../kernel/node.js';
import { EnvironmentType } from '../access/environment.js';
import { Edge } from '../access/graph/edge.js';
import { GraphNode } from '../access/graph/node.js';
import { Project } from '../access/projects/project.entity.js';

@GraphNode<Release>({ view: 'release.view', actions: ['release.manage'] })
@ObjectType({
  implements: Node,
  description: 'A version of the application in one environment; at most one is current.',
})
@Entity({ tableName: 'deploy_release' })
@Index({
  name: 'deploy_release_text_index',
  expression:
    'create index "deploy_release_text_index" on "deploy_release" using gin ("version" gin_trgm_ops, "notes" gin_trgm_ops, "commit_sha" gin_trgm_ops)',
})
@Unique({ name: 'deploy_release_version_unique', properties: ['projectId', 'environment', 'version'] })
@Index({ name: 'deploy_release_commit_index', properties: ['projectId', 'environment', 'commitSha', 'id'] })
@Index({ name: 'deploy_release_promoted_index', properties: ['projectId', 'environment', 'promotedAt', 'id'] })
@Index({ name: 'deploy_release_project_index', properties: ['projectId', 'environment', 'createdAt', 'id'] })
@Index({
  name: 'deploy_release_current_unique',
  expression:
    'create unique index "deploy_release_current_unique" on "deploy_release" ("project_id", "environment") where is_current',
})
export class Release extends UuidEntity {
  [OptionalProps]?: 'isCurrent';

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => String)
  @Property({ type: 'text' })
  version!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  notes!: string;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  commitSha: string | null = null;

  @Field(() => Boolean, { name: 'current', description: 'Whether clients get it in the handshake.' })
  @Property({ type: 'boolean' })
  isCurrent: boolean = false;

  @Field(() => Date, { nullable: true, description: 'When it was last promoted.' })
  @Property({ type: 'Date', nullable: true })
  promotedAt: Date | null = null;
}
