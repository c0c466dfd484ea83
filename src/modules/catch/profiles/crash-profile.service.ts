import type { Context } from '../../../kernel/context.js';
import type { Page } from '../../../kernel/paging.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import type { ObjectStore } from '../../../storage/objects/object-store.js';
import { listOfOwner } from '../../access/graph/list-edge.js';
import { mayIn } from '../../access/guard.js';
import { ProjectRows } from '../../access/project-rows.js';
import { catchFailure } from '../catch.errors.js';
import { CrashProfile } from './crash-profile.entity.js';
import { CRASH_PROFILES, type CrashProfileListArgs } from './crash-profile-list.js';

const LINK_SECONDS = 300;

export class CrashProfileService {
  private readonly rows = new ProjectRows(CrashProfile, 'uuid', () => catchFailure('profile_not_found'));

  constructor(private readonly objects: ObjectStore) {}

  list(operation: OperationContext, projectId: string, args: CrashProfileListArgs): Promise<Page<CrashProfile>> {
    const { environment } = args;
    return listOfOwner(operation, 'catch.profile.view', CRASH_PROFILES, projectId, args, { environment });
  }

  /** Fails with `profile_not_found`. */
  get(ctx: Context, id: string): Promise<CrashProfile> {
    return this.rows.get(ctx, 'catch.profile.view', id);
  }

  /** A link that downloads a profile for five minutes. Fails with `profile_not_found`, `permission_denied`. */
  async downloadUrl(ctx: Context, id: string): Promise<string> {
    return this.link(ctx, await this.rows.get(ctx, 'catch.profile.download', id));
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
