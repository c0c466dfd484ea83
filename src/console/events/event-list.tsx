import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EventStreamDocument } from '#documents';
import { scopePath, useScope } from '../app/scope.js';
import { usePages } from '../data/use-pages.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';

interface EventListProps {
  eventName: string | null;
  /** Of one person: their ids are not repeated. */
  distinctId: string | null;
}

/** Events, the newest first; the properties open on a press. */
export function EventList({ eventName, distinctId }: EventListProps) {
  const scope = useScope();
  const { projectId, environment } = scope;
  const pages = usePages(
    EventStreamDocument,
    { projectId, environment, eventName, distinctId },
    ({ events }) => events,
  );
  if (!pages.isKnown) return <WaitingRows rows={5} />;
  if (pages.rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No event. Apps send them to <code>/api/v1/track</code>; the page <em>Start</em> has a snippet.
      </Text>
    );
  return (
    <>
      {pages.rows.map((event) => (
        <details key={event.id} className="frame">
          <summary>
            <span className="mono">{event.eventName}</span>{' '}
            <Text size="xs" c="dimmed" span>
              <When at={event.occurredAt} />
              {distinctId === null ? ` of ${event.distinctId}` : ''}
            </Text>
          </summary>
          {distinctId === null && (
            <Anchor component={Link} to={scopePath(scope, 'people', event.distinctId)} size="xs">
              All of {event.distinctId}
            </Anchor>
          )}
          <pre className="code">{JSON.stringify(event.properties, null, 2)}</pre>
        </details>
      ))}
      {pages.hasMore && (
        <Button variant="default" mt="sm" onClick={pages.loadMore}>
          Older events
        </Button>
      )}
    </>
  );
}
