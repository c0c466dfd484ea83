import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, IdColumn } from '../../../kernel/database/column.js';
import { Node } from '../../../kernel/node.js';
import { GraphNode } from '../../access/graph/node.js';
import { UndatedEnvironmentEntity } from '../../access/projects/project-entities.js';

/** A row of the table `crash_profile`, which is only written in SQL. */
@GraphNode<CrashProfile>({ view: 'catch.profile.view', actions: ['catch.profile.download'] })
@ObjectType({ implements: Node, description: 'A profile as a client sent it.' })
@Entity({ tableName: 'crash_profile' })
export class CrashProfile extends UndatedEnvironmentEntity {
  @IdColumn('uuid')
  id!: string;

  @Column('bigint')
  sizeBytes!: string;

  @Property({ type: 'text' })
  storagePath!: string;

  @Column('Date')
  receivedAt!: Date;
}
