import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import { connectionOf, type Page, PageArgs } from '../../../kernel/paging.js';
import { VerbContext } from '../../../kernel/verb-context.js';
import {
  CreateApiKeyInput,
  CreateApiTokenInput,
  CreateDeployTokenInput,
  CreateProjectInput,
  IdInput,
  UpdateProjectInput,
} from '../access.inputs.js';
import { CreatedApiToken, CreatedDeployToken, CreatedKey } from '../access.results.js';
import { ApiToken } from '../keys/api-token.entity.js';
import type { ApiTokenService } from '../keys/api-token.service.js';
import { DeployToken } from '../keys/deploy-token.entity.js';
import type { DeployTokenService } from '../keys/deploy-token.service.js';
import { ProjectKey } from '../keys/project-key.entity.js';
import type { ProjectKeyService } from '../keys/project-key.service.js';
import { Project } from './project.entity.js';
import type { ProjectService } from './project.service.js';
import { ProjectListArgs } from './project-list.js';

const ProjectConnection = connectionOf(Project, 'Project');
const ProjectKeyConnection = connectionOf(ProjectKey, 'ProjectKey');
const DeployTokenConnection = connectionOf(DeployToken, 'DeployToken');
const ApiTokenConnection = connectionOf(ApiToken, 'ApiToken');

@Resolver()
export class ProjectResolver {
  constructor(
    private readonly projectService: ProjectService,
    private readonly keys: ProjectKeyService,
    private readonly deployTokenService: DeployTokenService,
    private readonly apiTokenService: ApiTokenService,
  ) {}

  @Query(() => ProjectConnection)
  projects(@VerbContext() ctx: Context, @Args(() => ProjectListArgs) args: ProjectListArgs): Promise<Page<Project>> {
    return this.projectService.list(ctx, args);
  }

  @Query(() => Project)
  project(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Project> {
    return this.projectService.get(ctx, id);
  }

  @Query(() => ProjectKeyConnection)
  apiKeys(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID) projectId: string,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<ProjectKey>> {
    return this.keys.list(ctx, projectId, page);
  }

  @Query(() => DeployTokenConnection)
  deployTokens(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID) projectId: string,
    @Args(() => PageArgs) page: PageArgs,
  ): Promise<Page<DeployToken>> {
    return this.deployTokenService.list(ctx, projectId, page);
  }

  @Query(() => ApiTokenConnection, { description: "The caller's own tokens; all of the organization for an admin." })
  apiTokens(@VerbContext() ctx: Context, @Args(() => PageArgs) page: PageArgs): Promise<Page<ApiToken>> {
    return this.apiTokenService.list(ctx, page);
  }

  @Mutation(() => Project)
  createProject(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateProjectInput) input: CreateProjectInput,
  ): Promise<Project> {
    return this.projectService.create(ctx, input);
  }

  @Mutation(() => Project)
  updateProject(
    @VerbContext() ctx: Context,
    @Arg('input', () => UpdateProjectInput) input: UpdateProjectInput,
  ): Promise<Project> {
    return this.projectService.update(ctx, input);
  }

  @Mutation(() => CreatedKey)
  createApiKey(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateApiKeyInput) input: CreateApiKeyInput,
  ): Promise<CreatedKey> {
    return this.keys.create(ctx, input);
  }

  @Mutation(() => ProjectKey)
  revokeApiKey(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<ProjectKey> {
    return this.keys.revoke(ctx, input.id);
  }

  @Mutation(() => CreatedDeployToken)
  createDeployToken(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateDeployTokenInput) input: CreateDeployTokenInput,
  ): Promise<CreatedDeployToken> {
    return this.deployTokenService.create(ctx, input);
  }

  @Mutation(() => DeployToken)
  revokeDeployToken(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<DeployToken> {
    return this.deployTokenService.revoke(ctx, input.id);
  }

  @Mutation(() => CreatedApiToken)
  createApiToken(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateApiTokenInput) input: CreateApiTokenInput,
  ): Promise<CreatedApiToken> {
    return this.apiTokenService.create(ctx, input);
  }

  @Mutation(() => ApiToken, { description: 'Ends the token and all that it minted.' })
  revokeApiToken(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<ApiToken> {
    return this.apiTokenService.revoke(ctx, input.id);
  }
}
