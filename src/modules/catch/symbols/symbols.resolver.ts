import { GraphQLURL } from 'graphql-scalars';
import { Arg, Args, Extensions, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import type { Page } from '../../../kernel/paging.js';
import { Operation, type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import { ListField } from '../../access/graph/list-fields.js';
import { IdInput } from '../../access/ids.inputs.js';
import { Project } from '../../access/projects/project.entity.js';
import { chosenProject } from '../../access/projects/project-choice.js';
import { SymbolArtifactsArgs, UploadSymbolArtifactArgs } from '../catch.inputs.js';
import { DeletedSymbolArtifact } from '../catch.results.js';
import { SymbolArtifactConnection, SymbolArtifactListArgs } from './artifact-list.js';
import { type GraphqlUpload, receiveGraphqlUpload, UploadScalar } from './graphql-upload.js';
import { SymbolArtifact } from './symbol-artifact.entity.js';
import type { SymbolArtifactService } from './symbol-artifact.service.js';
import type { SymbolUploadService } from './symbol-upload.service.js';

@Resolver(() => SymbolArtifact)
export class SymbolsResolver {
  constructor(
    private readonly artifacts: SymbolArtifactService,
    private readonly uploads: SymbolUploadService,
  ) {}

  @Query(() => SymbolArtifactConnection, { description: 'Symbol artifacts, newest first.' })
  symbolArtifacts(
    @Operation() operation: OperationContext,
    @Args() args: SymbolArtifactsArgs,
  ): Promise<Page<SymbolArtifact>> {
    return this.artifacts.list(operation, args.projectId, args);
  }

  @Query(() => SymbolArtifact)
  symbolArtifact(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<SymbolArtifact> {
    return this.artifacts.get(ctx, id);
  }

  @FieldResolver(() => GraphQLURL, { description: 'A download link, valid for five minutes without signing in.' })
  downloadUrl(@VerbContext() ctx: Context, @Root() artifact: SymbolArtifact): Promise<string> {
    return this.artifacts.linkTo(ctx, artifact);
  }

  @Query(() => String, {
    deprecationReason: 'Use `symbolArtifact { downloadUrl }`.',
    description: 'A download link, valid for five minutes.',
  })
  symbolDownloadUrl(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    return this.artifacts.downloadUrl(ctx, id);
  }

  @Mutation(() => SymbolArtifact, {
    description:
      'Stores a symbol file (multipart request). Uploading the same bytes again returns the existing artifact.',
  })
  @Extensions({ transaction: false })
  async uploadSymbolArtifact(
    @VerbContext() ctx: Context,
    @Arg('file', () => UploadScalar) file: GraphqlUpload,
    @Args() args: UploadSymbolArtifactArgs,
  ): Promise<SymbolArtifact> {
    const projectId = await chosenProject(ctx, args.projectId);
    await this.uploads.authorizeUpload(ctx, projectId);
    const received = await receiveGraphqlUpload(this.uploads, file);
    const { symbolKind, inEnvironment, ...fields } = args;
    return this.uploads.register(ctx, projectId, received, {
      ...fields,
      kind: symbolKind ?? fields.kind ?? null,
      environment: inEnvironment ?? fields.environment ?? null,
    });
  }

  @Mutation(() => DeletedSymbolArtifact, { description: 'Already symbolicated events stay as they are.' })
  async deleteSymbolArtifact(
    @VerbContext() ctx: Context,
    @Arg('input') input: IdInput,
  ): Promise<DeletedSymbolArtifact> {
    await this.artifacts.delete(ctx, input.id);
    return { id: input.id, deleted: true };
  }
}

@Resolver(() => Project)
export class ProjectSymbolsResolver {
  constructor(private readonly artifacts: SymbolArtifactService) {}

  @ListField(() => SymbolArtifactConnection, SymbolArtifactListArgs, { description: 'Newest first.' })
  symbolArtifacts(
    operation: OperationContext,
    { id }: Project,
    args: SymbolArtifactListArgs,
  ): Promise<Page<SymbolArtifact>> {
    return this.artifacts.list(operation, id, args);
  }
}
