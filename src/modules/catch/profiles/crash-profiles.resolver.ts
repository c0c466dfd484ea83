import { GraphQLURL } from 'graphql-scalars';
import { Arg, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../kernel/context.js';
import type { Page } from '../../../kernel/paging.js';
import { type OperationContext, VerbContext } from '../../../kernel/verb-context.js';
import { ProjectList } from '../../access/graph/list-fields.js';
import { Project } from '../../access/projects/project.entity.js';
import { CrashProfile } from './crash-profile.entity.js';
import type { CrashProfileService } from './crash-profile.service.js';
import { CrashProfileConnection, CrashProfileListArgs } from './crash-profile-list.js';

@Resolver(() => CrashProfile)
export class CrashProfilesResolver {
  constructor(private readonly profiles: CrashProfileService) {}

  @Query(() => CrashProfile, { description: 'A profile by its id.' })
  crashProfile(
    @VerbContext() ctx: Context,
    @Arg('id', () => ID, { description: 'The id of the profile.' }) id: string,
  ): Promise<CrashProfile> {
    return this.profiles.get(ctx, id);
  }

  @FieldResolver(() => GraphQLURL, {
    nullable: true,
    description:
      'A download link, valid for five minutes without signing in. Null below Editor, because profiles may contain personal data.',
  })
  downloadUrl(@VerbContext() ctx: Context, @Root() profile: CrashProfile): Promise<string | null> {
    return this.profiles.linkTo(ctx, profile);
  }

  @Query(() => String, {
    description:
      'A download link, valid for five minutes. Requires Editor, because profiles may contain personal data.',
    deprecationReason: 'Use `crashProfile { downloadUrl }`.',
  })
  crashProfileDownloadUrl(@VerbContext() ctx: Context, @Arg('id', () => ID) id: string): Promise<string> {
    return this.profiles.downloadUrl(ctx, id);
  }
}

@Resolver(() => Project)
export class ProjectProfilesResolver {
  constructor(private readonly profiles: CrashProfileService) {}

  @ProjectList(() => CrashProfileConnection, CrashProfileListArgs, {
    field: 'Newest first.',
    query: 'Profiles, newest first.',
  })
  crashProfiles(
    operation: OperationContext,
    projectId: string,
    args: CrashProfileListArgs,
  ): Promise<Page<CrashProfile>> {
    return this.profiles.list(operation, projectId, args);
  }
}
