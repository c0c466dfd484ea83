import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import type { Page } from '../../../kernel/paging.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { authorize, mayIn } from '../../access/guard.js';
import { authorizeRow } from '../../access/project-rows.js';
import { catchFailure } from '../catch.errors.js';
import { CrashProfile } from './crash-profile.entity.js';
import { CRASH_PROFILES, type CrashProfileListArgs } from './crash-profile-list.js';

const LINK_SECONDS = 300;

export class CrashProfileService {
  constructor(private readonly objects: ObjectStore) {}

  /** Profiles of an environment, newest first. */
  list(operation: OperationContext, projectId: string, args: CrashProfileListArgs): Promise<Page<CrashProfile>> {
    const { environment } = args;
    const owner = { id: projectId, projectId };
    return listOfOwner(operation, 'catch.profile.view', CRASH_PROFILES, owner, args, { environment });
  }

  /** Fails with `profile_not_found`. */
  async get(ctx: Context, id: string): Promise<CrashProfile> {
    const found = isUuid(id) ? await ctx.em.findOne(CrashProfile, { id }) : null;
    return (await authorizeRow(ctx, 'catch.profile.view', found, () => catchFailure('profile_not_found'))).row;
  }

  /** A link that downloads a profile for five minutes. Fails with `profile_not_found`, `permission_denied`. */
  async downloadUrl(ctx: Context, id: string): Promise<string> {
    const invisible = () => catchFailure('profile_not_found');
    const profile = isUuid(id) ? await ctx.em.findOne(CrashProfile, { id }) : null;
    await authorize(ctx, 'catch.profile.download', profile?.projectId, invisible);
    if (profile === null) throw invisible();
    return this.link(ctx, profile);
  }

  /** Like {@link downloadUrl}, for a profile that the caller has been shown; null if they may not read it. */
  async linkTo(ctx: Context, profile: CrashProfile): Promise<string | null> {
    return (await mayIn(ctx, 'catch.profile.download', profile.projectId)) ? this.link(ctx, profile) : null;
  }

  private link(ctx: Context, { id, storagePath }: CrashProfile): Promise<string> {
    return this.objects.temporaryUrl(storagePath, {
      now: ctx.now(),
      expiresInSeconds: LINK_SECONDS,
      fileName: `profile-${id}.json`,
    });
  }
}
