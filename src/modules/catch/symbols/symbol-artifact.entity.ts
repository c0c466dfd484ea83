import { Entity, Enum, Index, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Column, EnumColumn, IdColumn } from '../../../kernel/database/column.js';
import { TextIndex } from '../../../kernel/database/indexes.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import { enumType } from '../../../kernel/values/enum-type.js';
import type { SymbolDetail } from '../../../symbols/conversion/converted-file.js';
import { SYMBOL_KINDS, type SymbolKind } from '../../../symbols/symbol-kinds.js';
import { GraphNode } from '../../access/graph/node.js';
import { UndatedEnvironmentEntity } from '../../access/projects/project-entities.js';

export const STATUSES = ['pending', 'ready', 'failed'] as const;
export type ArtifactStatus = (typeof STATUSES)[number];

export const ArtifactStatusType = enumType('SymbolArtifactStatus', STATUSES);

const SymbolDetailType = enumType('SymbolDetail', ['full', 'names', 'code'], {
  valuesConfig: {
    full: { description: 'Functions, files and lines.' },
    names: { description: 'Symbol names only: it was stripped, or its debug information is in another file.' },
    code: { description: 'A script itself: its code is shown around frames, but it resolves no names.' },
  },
});

export const SymbolKindType = enumType('SymbolKind', Object.keys(SYMBOL_KINDS));

@GraphNode<SymbolArtifact>({ view: 'catch.symbol.view', actions: ['catch.symbol.delete'] })
@ObjectType({ implements: Node, description: 'An uploaded symbol file.' })
@Entity({ tableName: 'symbol_artifact' })
@TextIndex('symbol_artifact_text_index', 'symbol_artifact', ['original_name', 'match_key'])
@Index({ name: 'symbol_artifact_project_index', properties: ['projectId', 'uploadedAt', 'id'] })
@Index({ name: 'symbol_artifact_kind_index', properties: ['projectId', 'kind', 'uploadedAt', 'id'] })
@Index({ name: 'symbol_artifact_status_index', properties: ['projectId', 'status', 'uploadedAt', 'id'] })
@Index({ name: 'symbol_artifact_list_index', properties: ['projectId', 'environment', 'uploadedAt', 'id'] })
@Index({ name: 'symbol_artifact_checksum_index', properties: ['projectId', 'sha256'] })
@Index({
  name: 'symbol_artifact_release_index',
  properties: ['projectId', 'environment', 'release', 'uploadedAt', 'id'],
})
@Index({
  name: 'symbol_artifact_place_unique',
  expression: `create unique index "symbol_artifact_place_unique" on "symbol_artifact" ("project_id", "environment", "kind", "release", "place", "sha256") where status <> 'failed'`,
})
export class SymbolArtifact extends UndatedEnvironmentEntity {
  @IdColumn('text')
  id: string = newPrefixedId('sym');

  @Field(() => String, {
    description: 'js_sourcemap, ios_dsym, android_mapping, android_ndk or flutter_symbols.',
    deprecationReason: 'Use symbolKind, which is an enum.',
  })
  @Enum({ items: () => Object.keys(SYMBOL_KINDS), type: 'text' })
  @Field(() => SymbolKindType, { name: 'symbolKind' })
  kind!: SymbolKind;

  @Column('text', { description: 'Empty if the upload did not name one; it then matches by key alone.' })
  release!: string;

  @Column('text')
  matchKey!: string;

  @Column('text', {
    nullable: true,
    description:
      'The debug id of a script or its source map, if it has one: it is not used for frames of scripts with another id. Null until it is read.',
  })
  debugId: string | null = null;

  /** What the upload itself said about the file's place, so that the same bytes are found again. */
  @Property({ type: 'text' })
  place!: string;

  @Column('bigint')
  sizeBytes!: string;

  @Column('text', { description: 'Hexadecimal digest of the stored file.' })
  sha256!: string;

  @EnumColumn(ArtifactStatusType)
  status!: ArtifactStatus;

  @Column('text', { nullable: true, description: 'Why the file could not be read, as a code.' })
  failureCode: string | null = null;

  @Column('text', { nullable: true, description: 'Why the file could not be read.' })
  failureReason: string | null = null;

  @Column('text', { nullable: true })
  commitSha: string | null = null;

  @Column('text')
  originalName!: string;

  @Property({ type: 'text' })
  storagePath!: string;

  @Column('Date')
  uploadedAt!: Date;

  @Column('text', {
    as: () => SymbolDetailType,
    nullable: true,
    description: 'What the file contains; null until it is read.',
  })
  detail: SymbolDetail | null = null;

  @Column('text', { nullable: true, description: 'What is missing in the file, and how to fix it.' })
  detailReason: string | null = null;

  @Column('Date', { nullable: true, description: 'When its tables were created; null until then.' })
  indexedAt: Date | null = null;
}

/** What the audit log says about a file, in addition to its event. */
export const fileOf = ({ originalName, sizeBytes, sha256, commitSha }: SymbolArtifact): object => ({
  originalName,
  sizeBytes: Number(sizeBytes),
  sha256,
  commitSha,
});

export const aboutArtifact = (
  project: { id: string; organizationId: string },
  { id, environment, kind, release, matchKey }: SymbolArtifact,
) => ({
  project,
  environment,
  object: { type: 'symbol_artifact', id },
  data: { artifact_id: id, kind, release, match_key: matchKey },
});
