import { Entity, Enum, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { GraphQLBigInt } from 'graphql-scalars';
import { Field, ID, ObjectType, registerEnumType } from 'type-graphql';
import { ENVIRONMENTS, type Environment } from '../../../kernel/actor.js';
import { newPrefixedId } from '../../../kernel/ids.js';
import { Node } from '../../../kernel/node.js';
import type { SymbolDetail } from '../../../symbols/conversion/converted-file.js';
import { SYMBOL_KINDS, type SymbolKind } from '../../../symbols/symbol-kinds.js';
import { EnvironmentType } from '../../access/environment.js';
import { Edge } from '../../access/graph/edge.js';
import { GraphNode } from '../../access/graph/node.js';
import { Project } from '../../access/projects/project.entity.js';

export const STATUSES = ['pending', 'ready', 'failed'] as const;
export type ArtifactStatus = (typeof STATUSES)[number];

export const ArtifactStatusType = Object.fromEntries(STATUSES.map((status) => [status, status]));
registerEnumType(ArtifactStatusType, { name: 'SymbolArtifactStatus' });

const SymbolDetailType: Record<SymbolDetail, SymbolDetail> = { full: 'full', names: 'names', code: 'code' };
registerEnumType(SymbolDetailType, {
  name: 'SymbolDetail',
  valuesConfig: {
    full: { description: 'Functions, files and lines.' },
    names: { description: 'Symbol names only: it was stripped, or its debug information is in another file.' },
    code: { description: 'A script itself: its code is shown around frames, but it resolves no names.' },
  },
});

export const SymbolKindType = Object.fromEntries(Object.keys(SYMBOL_KINDS).map((kind) => [kind, kind]));
registerEnumType(SymbolKindType, { name: 'SymbolKind' });

@GraphNode<SymbolArtifact>({ view: 'catch.symbol.view', actions: ['catch.symbol.delete'] })
@ObjectType({ implements: Node, description: 'An uploaded symbol file.' })
@Entity({ tableName: 'symbol_artifact' })
@Index({
  name: 'symbol_artifact_text_index',
  expression:
    'create index "symbol_artifact_text_index" on "symbol_artifact" using gin ("original_name" gin_trgm_ops, "match_key" gin_trgm_ops)',
})
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
export class SymbolArtifact {
  @Field(() => ID)
  @PrimaryKey({ type: 'text' })
  id: string = newPrefixedId('sym');

  @Field(() => ID)
  @Property({ type: 'uuid' })
  projectId!: string;

  @Edge(() => Project, 'projectId')
  project?: Project;

  @Field(() => EnvironmentType)
  @Enum({ items: () => [...ENVIRONMENTS], type: 'text' })
  environment!: Environment;

  @Field(() => String, {
    description: 'js_sourcemap, ios_dsym, android_mapping, android_ndk or flutter_symbols.',
    deprecationReason: 'Use symbolKind, which is an enum.',
  })
  @Enum({ items: () => Object.keys(SYMBOL_KINDS), type: 'text' })
  kind!: SymbolKind;

  @Field(() => String, { description: 'Empty if the upload did not name one; it then matches by key alone.' })
  @Property({ type: 'text' })
  release!: string;

  @Field(() => String)
  @Property({ type: 'text' })
  matchKey!: string;

  @Field(() => String, {
    nullable: true,
    description:
      'The debug id of a script or its source map, if it has one: it is not used for frames of scripts with another id. Null until it is read.',
  })
  @Property({ type: 'text', nullable: true })
  debugId: string | null = null;

  /** What the upload itself said about the file's place, so that the same bytes are found again. */
  @Property({ type: 'text' })
  place!: string;

  @Field(() => GraphQLBigInt)
  @Property({ type: 'bigint' })
  sizeBytes!: string;

  @Field(() => String, { description: 'Hexadecimal digest of the stored file.' })
  @Property({ type: 'text' })
  sha256!: string;

  @Field(() => ArtifactStatusType)
  @Enum({ items: () => [...STATUSES], type: 'text' })
  status!: ArtifactStatus;

  @Field(() => String, { nullable: true, description: 'Why the file could not be read, as a code.' })
  @Property({ type: 'text', nullable: true })
  failureCode: string | null = null;

  @Field(() => String, { nullable: true, description: 'Why the file could not be read.' })
  @Property({ type: 'text', nullable: true })
  failureReason: string | null = null;

  @Field(() => String, { nullable: true })
  @Property({ type: 'text', nullable: true })
  commitSha: string | null = null;

  @Field(() => String)
  @Property({ type: 'text' })
  originalName!: string;

  @Property({ type: 'text' })
  storagePath!: string;

  @Field(() => Date)
  @Property({ type: 'Date' })
  uploadedAt!: Date;

  @Field(() => SymbolDetailType, { nullable: true, description: 'What the file contains; null until it is read.' })
  @Property({ type: 'text', nullable: true })
  detail: SymbolDetail | null = null;

  @Field(() => String, { nullable: true, description: 'What is missing in the file, and how to fix it.' })
  @Property({ type: 'text', nullable: true })
  detailReason: string | null = null;

  @Field(() => Date, { nullable: true, description: 'When its tables were created; null until then.' })
  @Property({ type: 'Date', nullable: true })
  indexedAt: Date | null = null;
}

/** What the audit log says about a file, in addition to its event. */
export const fileOf = ({ originalName, sizeBytes, sha256, commitSha }: SymbolArtifact): object => ({
  originalName,
  sizeBytes: Number(sizeBytes),
  sha256,
  commitSha,
});
