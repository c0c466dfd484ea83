import type { Context } from '../../../kernel/context.js';
import { textArray } from '../../../kernel/database/text-array.js';
import type { ErasedPerson } from '../../../kernel/erased-ids.js';
import { uuidOfPrefixedId } from '../../../kernel/ids.js';
import type { AnalyticsEraser } from './analytics-copy.service.js';

/** Responses checked in one turn. */
const SLICE = 500;

/** Responses in a project and environment that name one of the ids, and whose person hasn't been deleted since. */
const OF_PERSON = `project_id = ? and environment = ? and not is_person_deleted
          and (user_id = any(?::text[]) or (user_id is null and external_id = any(?::text[])))`;

/** Whether there is a response by the person, copied or not. */
export async function hasAnswered(ctx: Context, { projectId, environment, ids }: ErasedPerson): Promise<boolean> {
  const found = await ctx.em.execute<object[]>(`select from survey_response where ${OF_PERSON} limit 1`, [
    projectId,
    environment,
    textArray(ids),
    textArray(ids),
  ]);
  return found.length > 0;
}

/**
 * Erases the copies of some of the responses that a person gave until an instant, in the caller's transaction, and prevents pending copies
 * from being made. The responses stay. Returns whether there may be more.
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
        where ${OF_PERSON} and created_at <= ?
        order by id limit ? for update)
     returning id`,
    [projectId, environment, textArray(ids), textArray(ids), until, SLICE],
  );
  if (found.length > 0)
    await erase(
      ctx,
      projectId,
      found.map(({ id }) => uuidOfPrefixedId(id)),
    );
  return found.length === SLICE;
}
