import type { EventLog } from '../../../events/event-log.js';
import type { Context } from '../../../kernel/context.js';
import { textArray } from '../../../kernel/database/text-array.js';
import { uuidOfPrefixedId } from '../../../kernel/ids.js';
import { storableText } from '../../../kernel/text.js';
import { erasureJson, NOTE_ERASURE } from '../../../storage/analytics/analytics-notes.js';
import { authorize } from '../../access/guard.js';
import { pulseFailure } from '../pulse.errors.js';
import type { DeleteRespondentInput } from '../pulse.inputs.js';
import type { ResponseCounts } from '../results/response-counts.js';
import { RESPONSE_DATASET } from '../results/response-dataset.js';
import type { AnalyticsEraser } from './analytics-copy.service.js';

export interface Erased {
  responses: number;
  partials: number;
}

const FIND = `
select id from survey_response
 where project_id = ? and (user_id = ? or external_id = ? or lower(email) = lower(?)) order by id for update`;

const ERASE = `
with gone as (
  delete from survey_response
   where id = any(?)
  returning id, external_id
), answers as (
  delete from survey_answer where response_id in (select id from gone)
), partials as (
  delete from survey_partial p using survey s
   where s.id = p.survey_id and s.project_id = ?
     and (p.external_id = ? or p.external_id in (select external_id from gone))
  returning p.submitted_at
)
select count(*)::int as partials from partials where submitted_at is null`;

export class RespondentService {
  constructor(
    private readonly events: EventLog,
    private readonly eraseEvents: AnalyticsEraser,
    private readonly counts: ResponseCounts,
  ) {}

  /**
   * Erases all answers of everyone who matches one of the given identities, in both environments, with their partial saves and the copies
   * in analytics, where the copier of an analytics store passes it on. The event says how many, never whose. Fails with
   * `project_not_found`, `respondent_required`.
   */
  async erase(ctx: Context, identity: DeleteRespondentInput): Promise<Erased> {
    const project = await authorize(ctx, 'pulse.respondent.delete', identity.projectId);
    const named = (text: string | null | undefined) => (text ? storableText(text) : null);
    const userId = named(identity.userId);
    const externalId = named(identity.externalId);
    const email = named(identity.email);
    if (userId === null && externalId === null && email === null) throw pulseFailure('respondent_required');
    const found = await ctx.em.execute<{ id: string }[]>(FIND, [project.id, userId, externalId, email]);
    const ids = found.map(({ id }) => id);
    if (ids.length > 0) await this.counts.forget(ctx.em, ids);
    const [erased] = await ctx.em.execute<{ partials: number }[]>(ERASE, [textArray(ids), project.id, externalId]);
    const { partials } = erased as { partials: number };
    const responses = ids.length;
    if (responses > 0) {
      await this.eraseEvents(ctx, project.id, ids.map(uuidOfPrefixedId));
      await ctx.em.execute(NOTE_ERASURE, [erasureJson({ dataset: RESPONSE_DATASET, projectId: project.id, ids })]);
    }
    this.events.emit(ctx, 'pulse.respondent.deleted', {
      project,
      object: { type: 'project', id: project.id },
      data: { responses },
    });
    return { responses, partials };
  }
}
