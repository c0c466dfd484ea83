import { Button, Group, Switch } from '@mantine/core';
import { useScope } from '../data/scope.js';
import { useSearchState } from '../data/use-search-state.js';
import { Panel } from '../parts/page.js';
import { TimeFields, useTimeWindow } from '../parts/rows/time-window.js';
import { Muted } from '../parts/text.js';
import { EventList } from './event-list.js';
import { useEventTail } from './use-event-tail.js';

/** The latest events, or those of a period. In live mode, new ones appear on top. */
export function LatestEvents() {
  const { projectId, environment } = useScope();
  const [search, change] = useSearchState();
  const receivedAt = useTimeWindow();
  const isLive = search.tail === 'on' && !receivedAt;
  const eventName = search.q ?? null;
  return (
    <Panel
      title="Latest events"
      aside={
        <Group gap="sm">
          <TimeFields what="Received" />
          <Switch
            label="Live tail"
            size="xs"
            checked={isLive}
            onChange={(e) => change(e.currentTarget.checked ? { tail: 'on', from: null, to: null } : { tail: null })}
          />
        </Group>
      }
    >
      {isLive ? (
        <EventTail key={[projectId, environment, eventName].join('/')} eventName={eventName} />
      ) : (
        <EventList eventName={eventName} receivedAt={receivedAt} />
      )}
    </Panel>
  );
}

function EventTail({ eventName }: { eventName: string | null }) {
  const { arrived, waiting, leftOut, isOpen, isPaused, pause, goOn } = useEventTail(eventName);
  const state = isPaused
    ? `Paused: ${waiting.length.toLocaleString('en')} new`
    : `Live: ${arrived.length.toLocaleString('en')} received`;
  return (
    <>
      <Group gap="xs" mb="xs">
        <Button variant="default" size="compact-sm" onClick={isPaused ? goOn : pause}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        <Muted size="xs">
          {isOpen ? state : 'Connecting…'}
          {leftOut > 0 && `; skipped ${leftOut.toLocaleString('en')} events of any name (shows at most 20 a second)`}
        </Muted>
      </Group>
      <EventList eventName={eventName} arrived={arrived} />
    </>
  );
}
