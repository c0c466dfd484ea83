import type { Context } from '../../../kernel/context.js';
import { textArray } from '../../../kernel/database/text-array.js';
import type { ErasedPerson } from '../../../kernel/erased-ids.js';
import { uuidOfPrefixedId } from '../../../kernel/ids.js';
import type { AnalyticsEraser } from './analytics-copy.service.js';

/** Responses that are looked at in one turn. */
const SLICE = 500;

/**
 * Erases the copies of some of the responses that a person gave until an instant, in the caller's transaction, and keeps copies that are still to be
 * made from being made. The responses stay. Returns whether there may be more of them.
 */
export async function eraseCopiesOf(
  ctx: Context,
  { projectId, environment, ids }: ErasedPerson,
  until: string,
  erase: AnalyticsEraser,
): Promise<boolean> {
  const found = await ctx.em.execute<{ id: string }[]>(
    `update survey_response set is_person_deleted = true where id in (
       select id from survey_response
        where project_id = ? and environment = ? and created_at <= ? and not is_person_deleted
          and (user_id = any(?::text[]) or (user_id is null and external_id = any(?::text[])))
        order by id limit ? for update)
     returning id`,
    [projectId, environment, until, textArray(ids), textArray(ids), SLICE],
  );
  if (found.length > 0)
    await erase(
      ctx,
      projectId,
      found.map(({ id }) => uuidOfPrefixedId(id)),
    );
  return found.length === SLICE;
}
