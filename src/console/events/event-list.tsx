import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { memo, useState } from 'react';
import { EventPropertiesDocument, type EventRowFragment, EventStreamDocument } from '#documents';
import { scopePath, useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { More } from '../parts/rows/more.js';
import { type TimeWindow, windowWords } from '../parts/rows/time-window.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';
import { LONGEST_TAIL } from './use-event-tail.js';

interface EventListProps {
  eventName: string | null;
  /** Of one person: their ids are not repeated. */
  distinctId?: string | null;
  /** Of all ids of one person. */
  personId?: string | null;
  /** Those alone that were received then. */
  receivedAt?: TimeWindow | null;
  /** What a stream has brought, the newest first; it stands on top. */
  arrived?: readonly EventRowFragment[];
}

const NOTHING: readonly EventRowFragment[] = [];

/** Events in the order in which they were received, the newest first; the properties open on a press. */
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
  // Below a tail that has dropped its oldest rows there would be a gap.
  const isCut = arrived.length >= LONGEST_TAIL;
  const rows = [...arrived, ...(isCut ? [] : pages.rows.filter(({ id }) => !onTop.has(id)))];
  if (rows.length === 0 && receivedAt)
    return (
      <Text size="sm" c="dimmed">
        No event {eventName !== null && <bdi>{eventName} </bdi>}was received {windowWords(receivedAt)}.
      </Text>
    );
  if (rows.length === 0 && eventName !== null)
    return (
      <Text size="sm" c="dimmed">
        No event is called exactly <bdi>{eventName}</bdi>.
      </Text>
    );
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No event. Apps send them to <code>/api/v1/track</code>; the page <em>Start</em> has a snippet.
      </Text>
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
      {!isCut && <More pages={pages}>Older events</More>}
    </>
  );
}

const EventRow = memo(function EventRow({ event, namesPerson }: { event: EventRowFragment; namesPerson: boolean }) {
  const scope = useScope();
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
          <Anchor component={Link} to={scopePath(scope, 'people', distinctId)} inherit>
            All of <bdi>{distinctId}</bdi>
          </Anchor>
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
        Its properties are more than 4 MiB, too much to show.
      </Text>
    );
  return <pre className="code">{JSON.stringify(properties, null, 2)}</pre>;
}
