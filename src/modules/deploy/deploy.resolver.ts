import { Arg, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Environment } from '../../kernel/actor.js';
import type { Context } from '../../kernel/context.js';
import { type Deletion, deletionOf } from '../../kernel/node.js';
import { connectionOf, type Page } from '../../kernel/paging.js';
import { type OperationContext, VerbContext } from '../../kernel/verb-context.js';
import { EnvironmentType } from '../access/environment.js';
import { ProjectList } from '../access/graph/list-fields.js';
import { IdInput } from '../access/ids.inputs.js';
import { Project } from '../access/projects/project.entity.js';
import { CreateReleaseInput, UpdateReleaseInput } from './deploy.inputs.js';
import { Release } from './release.entity.js';
import type { ReleaseService } from './release.service.js';
import { ReleaseListArgs } from './release-lists.js';

const ReleaseConnection = connectionOf(Release, 'Release');

const DeletedRelease = deletionOf('DeletedRelease');

@Resolver(() => Project)
export class DeployResolver {
  constructor(private readonly service: ReleaseService) {}

  @ProjectList(() => ReleaseConnection, ReleaseListArgs, { query: 'Releases of an environment, newest first.' })
  releases(operation: OperationContext, projectId: string, args: ReleaseListArgs): Promise<Page<Release>> {
    return this.service.list(operation, projectId, args);
  }

  @Query(() => Release)
  releaseByVersion(
    @VerbContext() ctx: Context,
    @Arg('projectId', () => ID) projectId: string,
    @Arg('environment', () => EnvironmentType, { defaultValue: 'live' }) environment: Environment,
    @Arg('version') version: string,
  ): Promise<Release> {
    return this.service.getByVersion(ctx, projectId, environment, version);
  }

  @Query(() => Release)
  release(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Release> {
    return this.service.get(ctx, id);
  }

  @Mutation(() => Release)
  createRelease(@VerbContext() ctx: Context, @Arg('input') input: CreateReleaseInput): Promise<Release> {
    return this.service.create(ctx, input);
  }

  @Mutation(() => Release)
  updateRelease(@VerbContext() ctx: Context, @Arg('input') input: UpdateReleaseInput): Promise<Release> {
    return this.service.update(ctx, input);
  }

  @Mutation(() => Release, { description: 'Makes it the current release of its environment.' })
  promoteRelease(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Release> {
    return this.service.promote(ctx, input.id);
  }

  @Mutation(() => DeletedRelease, { description: 'Its symbols are purged by the next cleanup.' })
  deleteRelease(@VerbContext() ctx: Context, @Arg('input') input: IdInput): Promise<Deletion> {
    return this.service.delete(ctx, input.id);
  }
}
