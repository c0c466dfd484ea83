import { Entity, Index, Unique } from '@mikro-orm/decorators/legacy';
import { OptionalProps } from '@mikro-orm/postgresql';
import { ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../kernel/database/column.js';
import { TextIndex } from '../../kernel/database/indexes.js';
import { newUuid } from '../../kernel/ids.js';
import { Node } from '../../kernel/node.js';
import { GraphNode } from '../access/graph/node.js';
import { EnvironmentEntity } from '../access/projects/project-entities.js';

@GraphNode<Release>({ view: 'release.view', actions: ['release.manage'] })
@ObjectType({
  implements: Node,
  description: 'A version of the application in one environment; at most one is current.',
})
@Entity({ tableName: 'deploy_release' })
@TextIndex('deploy_release_text_index', 'deploy_release', ['version', 'notes', 'commit_sha'])
@Unique({ name: 'deploy_release_version_unique', properties: ['projectId', 'environment', 'version'] })
@Index({ name: 'deploy_release_commit_index', properties: ['projectId', 'environment', 'commitSha', 'id'] })
@Index({ name: 'deploy_release_promoted_index', properties: ['projectId', 'environment', 'promotedAt', 'id'] })
@Index({ name: 'deploy_release_project_index', properties: ['projectId', 'environment', 'createdAt', 'id'] })
@Index({
  name: 'deploy_release_current_unique',
  expression:
    'create unique index "deploy_release_current_unique" on "deploy_release" ("project_id", "environment") where is_current',
})
export class Release extends EnvironmentEntity {
  [OptionalProps]?: 'isCurrent';

  @IdColumn('uuid')
  id: string = newUuid();

  @Column('text')
  version!: string;

  @Column('text')
  notes!: string;

  @Column('text', { nullable: true })
  commitSha: string | null = null;

  @Column('boolean', { name: 'current', description: 'Whether clients get it in the handshake.' })
  isCurrent: boolean = false;

  @Column('Date', { nullable: true, description: 'When it was last promoted.' })
  promotedAt: Date | null = null;
}
