import type { Environment } from '../../../kernel/actor.js';
import { timeOfUuid } from '../../../kernel/ids.js';
import { allowedBy } from '../../../kernel/lists/field-filters.js';
import type { Direction } from '../../../kernel/lists/list.js';
import type { ListArgs } from '../../../kernel/lists/list-args.js';
import type { ListSelection } from '../../../kernel/lists/look-ahead.js';
import { type BothWays, idInCursor, orderName } from '../../../kernel/paging.js';
import { storableText } from '../../../kernel/text.js';
import type { Span } from '../hours/hours-of-name.js';
import { EVENTS, type EventFilter, type EventListArgs } from './event-list.js';

/** A query on the events of each owner: a project's environment, or all ids of a person. Null is any. */
export interface EventQuestion extends BothWays {
  of: 'project' | 'person';
  environment: Environment | null;
  /** Of their receipt. */
  direction: Direction;
  eventNames: readonly string[] | null;
  distinctIds: readonly string[] | null;
  /** Only those of these persons' ids. */
  personIds: readonly string[] | null;
  received: Span;
  counts: boolean;
  properties: boolean;
}

/** Every time of receipt: ids hold no instant before 1970. */
export const EVER: Span = { from: new Date(0), before: new Date(Date.UTC(9999, 11, 31)) };

/** The combined arguments, under whichever names; all of them must match. */
export function eventQuestion(
  of: EventQuestion['of'],
  args: ListArgs & Partial<EventListArgs>,
  selection: ListSelection | undefined,
): EventQuestion {
  const { first, after, last, before, orderBy } = args;
  const filter = args.filter as EventFilter | null | undefined;
  const { from, to } = filter?.receivedAt ?? {};
  return {
    of,
    environment: args.environment ?? null,
    first,
    after: after ?? null,
    last: last ?? null,
    before: before ?? null,
    direction: orderBy?.direction ?? EVENTS.usualOrder.direction,
    eventNames: textsOf(allowedBy(filter?.eventName, args.eventName || null)),
    distinctIds: textsOf(allowedBy(filter?.distinctId, args.distinctId || null)),
    personIds: textsOf(allowedBy(filter?.personId, args.personId)),
    received: common([
      { from: args.receivedFrom ?? EVER.from, before: args.receivedBefore ?? EVER.before },
      { from: from ?? EVER.from, before: to ? justAfter(to) : EVER.before },
    ]),
    counts: Boolean(selection?.total),
    properties: selection?.properties?.includes('properties') ?? true,
  };
}

export const isImpossible = ({ eventNames, distinctIds, personIds, received }: EventQuestion): boolean =>
  received.from >= received.before || [eventNames, distinctIds, personIds].some((allowed) => allowed?.length === 0);

/** Whether its pages start with the events received first, as the table is read. */
export const readsOldestFirst = ({ direction, last }: EventQuestion): boolean =>
  (direction === 'asc') !== (typeof last === 'number');

/** The ids between which the cursors leave events for a page, both exclusive. */
export function cursorBounds(question: EventQuestion): { above: string | null; below: string | null } {
  const [above, below] = question.direction === 'asc' ? (['after', 'before'] as const) : (['before', 'after'] as const);
  const order = orderOf(question);
  return { above: idInCursor(question, above, order), below: idInCursor(question, below, order) };
}

export const orderOf = ({ direction }: EventQuestion): string => orderName(EVENTS, EVENTS.usualOrder.field, direction);

/** The times of receipt that the cursors leave for a page. */
export function pageSpan(question: EventQuestion): Span {
  const { above, below } = cursorBounds(question);
  return { from: above ? timeOfUuid(above) : EVER.from, before: below ? justAfter(timeOfUuid(below)) : EVER.before };
}

const textsOf = (texts: readonly string[] | null): readonly string[] | null => texts?.map(storableText) ?? null;

const justAfter = (instant: Date): Date => new Date(instant.getTime() + 1);

/** The intersection of all spans, as far as an event can be received in it. */
function common(spans: readonly Span[]): Span {
  const from = Math.max(EVER.from.getTime(), ...spans.map((span) => span.from.getTime()));
  const before = Math.min(EVER.before.getTime(), ...spans.map((span) => span.before.getTime()));
  return { from: new Date(from), before: new Date(before) };
}
