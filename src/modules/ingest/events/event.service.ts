import type { Context } from '../../../kernel/context.js';
import { isUuid } from '../../../kernel/ids.js';
import { readAlike } from '../../../kernel/lists/asked-alike.js';
import { conditionKey } from '../../../kernel/lists/condition-key.js';
import type { BothWays, Page } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import { loader, type OperationContext } from '../../../kernel/verb-context.js';
import { authorize } from '../../access/guard.js';
import { projectsWhere } from '../../access/project-rows.js';
import { type HoursToRead, hoursToRead, stretchesOfName } from '../hours/hours-of-name.js';
import { peopleFailure } from '../people/people.errors.js';
import type { Person } from '../people/person.entity.js';
import type { AnalyticsEvent } from './analytics-event.js';
import { type EventQuestion, pageSpan, readEvent, readEventPages, receivedSpan } from './event-pages.js';

/** Which events of a project are listed. */
export type EventFilter = Omit<EventQuestion, 'of' | 'counts'>;

const PAGES = Symbol('pages of events');

interface Asked {
  owner: string;
  question: EventQuestion;
}

/** Reads ingested events. */
export class EventService {
  /** Events of an environment, newest first. */
  async ofProject(operation: OperationContext, projectId: string, filter: EventFilter): Promise<Page<AnalyticsEvent>> {
    const project = await authorize(operation.current, 'event.view', projectId);
    return pageOf(operation, project.id, { of: 'project', ...filter });
  }

  /** Fails with `event_not_found`. */
  async get(ctx: Context, id: string): Promise<AnalyticsEvent> {
    const projectIds = await projectsWhere(ctx, 'event.view');
    const event = isUuid(id) && projectIds.length > 0 ? await readEvent(ctx.em, projectIds, id) : null;
    if (!event) throw peopleFailure('event_not_found');
    return event;
  }

  /** Events of a person's ids, newest first, for a caller who sees the person. */
  ofPerson(operation: OperationContext, { id }: Person, page: BothWays): Promise<Page<AnalyticsEvent>> {
    return pageOf(operation, id, { of: 'person', ...page });
  }
}

/** All owners of one level that are asked alike are read in one statement. */
function pageOf(
  operation: OperationContext,
  owner: string,
  question: Omit<EventQuestion, 'counts'>,
): Promise<Page<AnalyticsEvent>> {
  const asked = { owner, question: { ...question, counts: Boolean(operation.asked?.total) } };
  return loader(operation, PAGES, (all: readonly Asked[]) => readAll(operation, all), conditionKey).load(asked);
}

function readAll({ current }: OperationContext, all: readonly Asked[]): Promise<(Page<AnalyticsEvent> | Error)[]> {
  return readAlike(
    all,
    ({ question }) => conditionKey(question),
    async (group) => {
      const owners = group.map(({ owner }) => owner);
      const { owner, question } = group[0];
      const hours = owners.length === 1 ? await hoursFor(current, owner, question) : null;
      return readEventPages(current.em, owners, question, hours);
    },
  );
}

/** Where a page of a rare name is to be looked for; null for all others, which the order of the index finds as fast. */
async function hoursFor(ctx: Context, projectId: string, question: EventQuestion): Promise<HoursToRead | null> {
  const { of, environment, eventName, distinctId, personId } = question;
  if (of !== 'project' || !environment || !eventName || distinctId || typeof personId === 'string') return null;
  const place = { projectId, environment, eventName: storableText(eventName) };
  return hoursToRead(await stretchesOfName(ctx, place, receivedSpan(question)), question, pageSpan(question));
}
