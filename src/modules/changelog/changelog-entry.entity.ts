import { Entity, Index } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { Column, EnumColumn, IdColumn } from '../../kernel/database/column.js';
import { TextIndex } from '../../kernel/database/indexes.js';
import { newUuid } from '../../kernel/ids.js';
import { Node } from '../../kernel/node.js';
import { enumType } from '../../kernel/values/enum-type.js';
import { GraphNode } from '../access/graph/node.js';
import { ProjectEntity } from '../access/projects/project-entities.js';

export const ENTRY_STATUSES = ['draft', 'published'] as const;
export type EntryStatus = (typeof ENTRY_STATUSES)[number];
export const EntryStatusType = enumType('ChangelogEntryStatus', ENTRY_STATUSES);

@GraphNode<ChangelogEntry>({ view: 'changelog.view', actions: ['changelog.manage'] })
@ObjectType({ implements: Node, description: 'A release note.' })
@Entity({ tableName: 'changelog_entry' })
@TextIndex('changelog_entry_text_index', 'changelog_entry', ['title', 'body'])
@Index({ name: 'changelog_entry_published_index', properties: ['projectId', 'publishedAt', 'id'] })
@Index({ name: 'changelog_entry_title_index', properties: ['projectId', 'title', 'id'] })
@Index({ name: 'changelog_entry_project_index', properties: ['projectId', 'createdAt', 'id'] })
export class ChangelogEntry extends ProjectEntity {
  @IdColumn('uuid')
  id: string = newUuid();

  @Column('text')
  title!: string;

  @Column('text', { description: 'Markdown.' })
  body!: string;

  @EnumColumn(EntryStatusType)
  status!: EntryStatus;

  @Column('Date', { nullable: true })
  publishedAt: Date | null = null;
}
