import { ArgsType, Field } from 'type-graphql';
import type { Environment } from '../../../kernel/actor.js';
import { ExactTextFilter, enumFilter, InstantFilter } from '../../../kernel/lists/field-filters.js';
import { listOf } from '../../../kernel/lists/list.js';
import { listArgs } from '../../../kernel/lists/list-args.js';
import { connectionOf } from '../../../kernel/paging.js';
import { EnvironmentType } from '../../access/environment.js';
import { ArtifactStatusType, SymbolArtifact, SymbolKindType } from './symbol-artifact.entity.js';

export const SYMBOL_ARTIFACTS = listOf(SymbolArtifact, {
  owner: 'projectId',
  parts: ['environment'],
  orders: { uploadedAt: ['uploadedAt'] },
  usualOrder: { field: 'uploadedAt', direction: 'desc' },
  filters: {
    kind: enumFilter(SymbolKindType, 'SymbolKind'),
    release: ExactTextFilter,
    sha256: ExactTextFilter,
    status: enumFilter(ArtifactStatusType, 'SymbolArtifactStatus'),
    uploadedAt: InstantFilter,
  },
  search: ['originalName', 'matchKey'],
});

export const RELEASE_SYMBOLS: typeof SYMBOL_ARTIFACTS = {
  ...SYMBOL_ARTIFACTS,
  owner: ['projectId', 'environment', 'release'],
};

@ArgsType()
export class PlainSymbolArtifactArgs extends listArgs(SYMBOL_ARTIFACTS) {}

@ArgsType()
export class SymbolArtifactListArgs extends PlainSymbolArtifactArgs {
  @Field(() => EnvironmentType, { nullable: true, description: 'Defaults to both environments.' })
  environment?: Environment | null;

  @Field(() => String, { nullable: true, deprecationReason: 'Use filter: { kind: { eq } }.' })
  kind?: string | null;

  @Field(() => String, { nullable: true, deprecationReason: 'Use filter: { release: { eq } }.' })
  release?: string | null;
}

export const SymbolArtifactConnection = connectionOf(SymbolArtifact, 'SymbolArtifact');
