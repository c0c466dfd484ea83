import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { loadAlike } from '../../../kernel/lists/grouped-reads.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { Page } from '../../../kernel/paging.js';
import { hasEmailIn } from '../../../kernel/values/email-redaction.js';
import type { OperationContext } from '../../../kernel/verb-context.js';
import { authorize, permit } from '../../access/guard.js';
import { projectsWhere } from '../../access/project-rows.js';
import { type HoursToRead, hoursToRead, stretchesOfNames } from '../hours/hours-of-name.js';
import { peopleFailure } from '../people.errors.js';
import type { AnalyticsEvent } from './analytics-event.js';
import type { EventListArgs } from './event-list.js';
import { readEvent, readEventPages } from './event-pages.js';
import { type EventQuestion, eventQuestion, pageSpan, readsOldestFirst } from './event-question.js';

const PAGES = Symbol('pages of events');

interface EventOwner {
  readonly id: string;
  readonly projectId: string;
}

/**
 * Reads ingested events. Asking for an email address needs the Editor role: results tell as much as the fields that are redacted below it.
 */
export class EventService {
  /** Events of an environment. Fails with `permission_denied`. */
  async ofProject(operation: OperationContext, projectId: string, args: EventListArgs): Promise<Page<AnalyticsEvent>> {
    const project = await authorize(operation.current, 'event.view', projectId);
    return pageOf(operation, { id: project.id, projectId: project.id }, 'project', args);
  }

  /** Fails with `event_not_found`. */
  async get(ctx: Context, id: string): Promise<AnalyticsEvent> {
    const projectIds = await projectsWhere(ctx, 'event.view');
    const event = isUuid(id) && projectIds.length > 0 ? await readEvent(ctx.em, projectIds, id) : null;
    if (!event) throw peopleFailure('event_not_found');
    return event;
  }

  /** Events of a person's ids, for a caller who sees the person. Fails with `permission_denied`. */
  ofPerson(operation: OperationContext, person: EventOwner, args: ListArgs): Promise<Page<AnalyticsEvent>> {
    return pageOf(operation, person, 'person', args);
  }
}

/** All owners of one level with the same arguments are read in one statement. */
async function pageOf(
  operation: OperationContext,
  { id: owner, projectId }: EventOwner,
  of: EventQuestion['of'],
  args: ListArgs & Partial<EventListArgs>,
): Promise<Page<AnalyticsEvent>> {
  const { current } = operation;
  const question = eventQuestion(of, args, operation.selection);
  if (hasEmailIn([question.eventNames, question.distinctIds])) await permit(current, 'person.search', projectId);
  return loadAlike(operation, PAGES, owner, question, async (owners) => {
    const hours = owners.length === 1 ? await hoursFor(current, owner, question) : null;
    return readEventPages(current.em, owners, question, hours);
  });
}

/** Where to look for a page of rare names; null for all others, which the index order finds just as fast. */
async function hoursFor(ctx: Context, projectId: string, question: EventQuestion): Promise<HoursToRead | null> {
  const { of, environment, eventNames, distinctIds, personIds, received, first, last } = question;
  if (of !== 'project' || !environment || !eventNames?.length || distinctIds || personIds) return null;
  const stretches = await stretchesOfNames(ctx, { projectId, environment, eventNames }, received);
  const isOldest = readsOldestFirst(question);
  return hoursToRead(stretches, { size: last ?? first, isOldest }, pageSpan(question));
}
