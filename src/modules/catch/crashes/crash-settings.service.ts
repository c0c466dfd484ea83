import { LockMode } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { EventLog } from '../../../events/event-log.js';
import type { Environment } from '../../../kernel/actor.js';
import type { Context } from '../../../kernel/context.js';
import { authorize } from '../../access/guard.js';
import { catchFailure } from '../catch.errors.js';
import type { UpdateCrashSettingsInput } from '../catch.inputs.js';
import { CrashSettings } from './crash-settings.entity.js';

/** Crash reporting settings, one set per environment; defaults apply without a row. */
export class CrashSettingsService {
  constructor(private readonly events: EventLog) {}

  async get(ctx: Context, projectId: string, environment: Environment): Promise<Omit<CrashSettings, 'updatedAt'>> {
    const project = await authorize(ctx, 'catch.settings.view', projectId);
    const stored = await ctx.em.findOne(CrashSettings, { projectId: project.id, environment });
    return stored ?? { projectId: project.id, environment, sampleRate: 1, ignoresSystemImages: false };
  }

  /** Fails with `bad_sample_rate`. A repeated change is stored, but emits no event. */
  async change(ctx: Context, { projectId, environment, ...change }: UpdateCrashSettingsInput): Promise<CrashSettings> {
    const project = await authorize(ctx, 'catch.settings.change', projectId);
    const settings = await this.locked(ctx, project.id, environment);
    const before = shownOf(settings);
    const sampleRate = change.sampleRate ?? settings.sampleRate;
    if (!(sampleRate >= 0 && sampleRate <= 1)) throw catchFailure('bad_sample_rate', { sampleRate });
    settings.sampleRate = sampleRate;
    settings.ignoresSystemImages = change.ignoresSystemImages ?? settings.ignoresSystemImages;
    settings.updatedAt = ctx.now();
    const after = shownOf(settings);
    if (before.sampleRate !== sampleRate || before.ignoresSystemImages !== after.ignoresSystemImages) {
      this.events.emit(ctx, 'catch.settings.changed', {
        project,
        environment,
        object: { type: 'project', id: project.id },
        data: { sample_rate: sampleRate },
        before,
        after,
      });
    }
    return settings;
  }

  private async locked(ctx: Context, projectId: string, environment: Environment): Promise<CrashSettings> {
    await ctx.em.execute(
      `insert into crash_settings (project_id, environment, sample_rate, updated_at) values (?, ?, 1, ?)
       on conflict do nothing`,
      [projectId, environment, ctx.now()],
    );
    const where = { projectId, environment };
    return ctx.em.findOneOrFail(CrashSettings, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
  }
}

const shownOf = ({ sampleRate, ignoresSystemImages }: CrashSettings) => ({ sampleRate, ignoresSystemImages });

/** Share of crash events that SDKs should send, for the handshake. */
export async function crashSampleRate(pool: Pool, projectId: string, environment: string): Promise<number> {
  const { rows } = await pool.query<{ sample_rate: number }>({
    name: 'crash-sample-rate',
    text: 'select sample_rate from crash_settings where project_id = $1 and environment = $2',
    values: [projectId, environment],
  });
  return rows[0]?.sample_rate ?? 1;
}
