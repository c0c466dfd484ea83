import { Text } from '@mantine/core';
import { memo, useState } from 'react';
import { EventPropertiesDocument, type EventRowFragment, EventStreamDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { More } from '../parts/rows/more.js';
import { type TimeWindow, windowWords } from '../parts/rows/time-window.js';
import { WaitingRows } from '../parts/states.js';
import { Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';
import { LONGEST_TAIL } from './use-event-tail.js';

interface EventListProps {
  eventName: string | null;
  /** Events of this id only; the list then omits the id column. */
  distinctId?: string | null;
  /** Events of all the person's ids. */
  personId?: string | null;
  /** Only events received in this period. */
  receivedAt?: TimeWindow | null;
  /** Events from a stream, newest first, shown on top. */
  arrived?: readonly EventRowFragment[];
}

const NOTHING: readonly EventRowFragment[] = [];

/** Events in the order they were received, newest first. Click one to see its properties. */
export function EventList({
  eventName,
  distinctId = null,
  personId = null,
  receivedAt = null,
  arrived = NOTHING,
}: EventListProps) {
  const { projectId, environment } = useScope();
  const pages = usePages(
    EventStreamDocument,
    { projectId, environment, eventName, distinctId, personId, receivedAt },
    ({ events }) => events,
  );
  if (!pages.isKnown) return <WaitingRows rows={5} error={pages.error} />;
  const onTop = new Set(arrived.map(({ id }) => id));
  // Once the tail drops its oldest rows, the list below would start with a gap.
  const isCut = arrived.length >= LONGEST_TAIL;
  const rows = [...arrived, ...(isCut ? [] : pages.rows.filter(({ id }) => !onTop.has(id)))];
  if (rows.length === 0 && receivedAt)
    return (
      <Muted>
        No {eventName !== null && <bdi>{eventName} </bdi>}events received {windowWords(receivedAt)}.
      </Muted>
    );
  if (rows.length === 0 && eventName !== null)
    return (
      <Muted>
        No events named exactly <bdi>{eventName}</bdi>.
      </Muted>
    );
  if (rows.length === 0)
    return (
      <Muted>
        No events yet. Apps send them to <code>/api/v1/track</code>; see <PageLink to={['start']}>Start</PageLink> for a
        snippet.
      </Muted>
    );
  return (
    <>
      <div className="frame" aria-hidden="true">
        <div className="line-head">
          <span className="line line-event soft">
            <span>Event</span>
            <span>{distinctId === null ? 'Id' : ''}</span>
            <span className="line-time wide-only">Happened</span>
            <span className="line-time">Received ↓</span>
          </span>
        </div>
      </div>
      {rows.map((event) => (
        <EventRow key={event.id} event={event} namesPerson={distinctId === null} />
      ))}
      {!isCut && <More pages={pages}>Load older events</More>}
    </>
  );
}

const EventRow = memo(function EventRow({ event, namesPerson }: { event: EventRowFragment; namesPerson: boolean }) {
  const { id, eventName, distinctId, occurredAt, receivedAt } = event;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="frame" onToggle={(e) => setIsOpen(e.currentTarget.open)}>
      <summary>
        <span className="line line-event">
          <span dir="auto" className="mono cut">
            {eventName}
          </span>
          <span dir="auto" className="soft cut">
            {namesPerson ? distinctId : ''}
          </span>
          <span className="line-time wide-only">
            <When at={occurredAt} />
          </span>
          <span className="line-time">
            <When at={receivedAt} />
          </span>
        </span>
      </summary>
      <Text size="xs" className="soft">
        Happened <When at={occurredAt} />, received <When at={receivedAt} />.{' '}
        {namesPerson && (
          <PageLink to={['people', distinctId]}>
            All events of <bdi>{distinctId}</bdi>
          </PageLink>
        )}
      </Text>
      {isOpen && <EventProperties id={id} />}
    </details>
  );
});

function EventProperties({ id }: { id: string }) {
  const { data, error } = useDocument(EventPropertiesDocument, { id }, { requestPolicy: 'cache-first' });
  if (!data?.event) return <WaitingRows rows={2} error={error} />;
  const { properties } = data.event;
  if (properties === null)
    return (
      <Text size="sm" className="soft">
        The properties are larger than 4 MiB and can't be shown.
      </Text>
    );
  return <pre className="code">{JSON.stringify(properties, null, 2)}</pre>;
}
