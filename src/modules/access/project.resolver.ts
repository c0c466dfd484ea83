import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import type { Page } from '../../kernel/paging.js';
import { type BulkAnswer, bulkAnswerOf, inBulk } from '../../kernel/refusal.js';
import { Operation, type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import {
  CreateApiKeyInput,
  CreateApiTokenInput,
  CreateDeployTokenInput,
  CreateProjectInput,
  UpdateProjectInput,
} from './access.inputs.js';
import { CreatedApiToken, CreatedDeployToken, CreatedKey } from './access.results.js';
import { IdInput, IdsInput } from './ids.inputs.js';
import { ApiToken } from './keys/api-token.entity.js';
import type { ApiTokenService } from './keys/api-token.service.js';
import { DeployToken } from './keys/deploy-token.entity.js';
import type { DeployTokenService } from './keys/deploy-token.service.js';
import { ApiTokenConnection, ApiTokenListArgs } from './keys/key-lists.js';
import { ProjectKey } from './keys/project-key.entity.js';
import type { ProjectKeyService } from './keys/project-key.service.js';
import { Project } from './projects/project.entity.js';
import type { ProjectService } from './projects/project.service.js';
import { ProjectConnection, ProjectListArgs } from './projects/project-list.js';

const ProjectKeyBulkAnswer = bulkAnswerOf(ProjectKey, 'ProjectKey');

@Resolver()
export class ProjectResolver {
  constructor(
    private readonly projectService: ProjectService,
    private readonly keys: ProjectKeyService,
    private readonly deployTokenService: DeployTokenService,
    private readonly apiTokenService: ApiTokenService,
  ) {}

  @Query(() => ProjectConnection)
  projects(@Operation() operation: OperationContext, @Args() args: ProjectListArgs): Promise<Page<Project>> {
    return this.projectService.list(operation, args);
  }

  @Query(() => Project)
  project(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Project> {
    return this.projectService.get(ctx, id);
  }

  @Query(() => ProjectKey)
  apiKey(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<ProjectKey> {
    return this.keys.get(ctx, id);
  }

  @Query(() => DeployToken)
  deployToken(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<DeployToken> {
    return this.deployTokenService.get(ctx, id);
  }

  @Query(() => ApiTokenConnection, { description: "The caller's own tokens; for an admin, all of the organization." })
  apiTokens(@Operation() operation: OperationContext, @Args() args: ApiTokenListArgs): Promise<Page<ApiToken>> {
    return this.apiTokenService.list(operation, args);
  }

  @Query(() => ApiToken)
  apiToken(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<ApiToken> {
    return this.apiTokenService.get(ctx, id);
  }

  @Mutation(() => Project)
  createProject(@VerbContext() ctx: Context, @Arg('input') input: CreateProjectInput): Promise<Project> {
    return this.projectService.create(ctx, input);
  }

  @Mutation(() => Project)
  updateProject(@VerbContext() ctx: Context, @Arg('input') input: UpdateProjectInput): Promise<Project> {
    return this.projectService.update(ctx, input);
  }

  @Mutation(() => CreatedKey)
  createApiKey(@VerbContext() ctx: Context, @Arg('input') input: CreateApiKeyInput): Promise<CreatedKey> {
    return this.keys.create(ctx, input);
  }

  @Mutation(() => ProjectKey)
  revokeApiKey(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<ProjectKey> {
    return this.keys.revoke(ctx, input.id);
  }

  @Mutation(() => [ProjectKeyBulkAnswer], { description: 'In one transaction; rejected keys are reported one by one.' })
  revokeApiKeys(@VerbContext() ctx: Context, @Arg('input') { ids }: IdsInput): Promise<BulkAnswer<ProjectKey>[]> {
    return inBulk(ids, (id) => this.keys.revoke(ctx, id));
  }

  @Mutation(() => CreatedDeployToken)
  createDeployToken(
    @VerbContext() ctx: Context,
    @Arg('input') input: CreateDeployTokenInput,
  ): Promise<CreatedDeployToken> {
    return this.deployTokenService.create(ctx, input);
  }

  @Mutation(() => DeployToken)
  revokeDeployToken(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<DeployToken> {
    return this.deployTokenService.revoke(ctx, input.id);
  }

  @Mutation(() => CreatedApiToken)
  createApiToken(@VerbContext() ctx: Context, @Arg('input') input: CreateApiTokenInput): Promise<CreatedApiToken> {
    return this.apiTokenService.create(ctx, input);
  }

  @Mutation(() => ApiToken, { description: 'Revokes the token and all tokens it created.' })
  revokeApiToken(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<ApiToken> {
    return this.apiTokenService.revoke(ctx, input.id);
  }
}
