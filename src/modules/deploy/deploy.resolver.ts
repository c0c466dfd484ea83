import { Arg, Args, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { Context } from '../../kernel/context.js';
import { connectionOf, type Page } from '../../kernel/paging.js';
import { VerbContext } from '../../kernel/verb-context.js';
import { IdInput } from '../access/access.inputs.js';
import { CreateReleaseInput, DeletedRelease, ReleasesArgs } from './deploy.inputs.js';
import { Release } from './release.entity.js';
import type { ReleaseService } from './release.service.js';

const ReleaseConnection = connectionOf(Release, 'Release');

@Resolver()
export class DeployResolver {
  constructor(private readonly service: ReleaseService) {}

  @Query(() => ReleaseConnection, { description: 'Releases of an environment, newest first.' })
  releases(@VerbContext() ctx: Context, @Args(() => ReleasesArgs) args: ReleasesArgs): Promise<Page<Release>> {
    return this.service.list(ctx, args, args);
  }

  @Query(() => Release)
  release(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<Release> {
    return this.service.get(ctx, id);
  }

  @Mutation(() => Release)
  createRelease(
    @VerbContext() ctx: Context,
    @Arg('input', () => CreateReleaseInput) input: CreateReleaseInput,
  ): Promise<Release> {
    return this.service.create(ctx, input);
  }

  @Mutation(() => Release, { description: 'Makes it the current one of its environment.' })
  promoteRelease(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<Release> {
    return this.service.promote(ctx, input.id);
  }

  @Mutation(() => DeletedRelease, { description: 'Its symbols are purged by the next clean-up.' })
  deleteRelease(@VerbContext() ctx: Context, @Arg('input', () => IdInput) input: IdInput): Promise<DeletedRelease> {
    return this.service.delete(ctx, input.id);
  }
}
