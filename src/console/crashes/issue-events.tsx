import { ActionIcon, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { IssueEventsDocument, type IssueEventsQuery } from '#documents';
import { scopePath, useScope } from '../data/scope.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Facts } from '../parts/facts.js';
import { Panel } from '../parts/page.js';
import { Failed, WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';
import { Breadcrumbs } from './breadcrumbs.js';
import { FlagsInForce } from './flags-in-force.js';
import { Frames } from './frames.js';

type CrashEvent = NonNullable<IssueEventsQuery['crashIssue']>['events']['nodes'][number];

/** The events of an issue, one at a time, the newest first. */
export function IssueEvents({ issueId, suspects }: { issueId: string; suspects: ReadonlySet<string> }) {
  const [search, change] = useSearchState();
  const at = Math.max(0, Math.trunc(Number(search.event ?? 1)) - 1) || 0;
  const setAt = (place: number) => change({ event: place === 0 ? null : String(place + 1) });
  const pages = usePages(IssueEventsDocument, { id: issueId, release: null }, (data) => data.crashIssue?.events);
  if (!pages.isKnown) return <WaitingRows error={pages.error} />;
  const { rows, totalCount, hasMore, restError, loadMore } = pages;
  if (at >= rows.length && restError) return <Failed error={restError} again={loadMore} />;
  if (at >= rows.length && hasMore) return <Unread loadMore={loadMore} />;
  const event = rows[at];
  if (!event && rows.length > 0)
    return (
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          There is no event {(at + 1).toLocaleString('en')}: {rows.length.toLocaleString('en')} are kept.
        </Text>
        <Button variant="default" size="compact-sm" onClick={() => setAt(0)}>
          The newest
        </Button>
      </Group>
    );
  if (!event)
    return (
      <Text size="sm" c="dimmed">
        Its events are older than what is kept.
      </Text>
    );
  const older = () => {
    setAt(at + 1);
    if (at + 3 > rows.length && hasMore) loadMore();
  };
  return (
    <>
      <Group gap="xs" mb="xs">
        <ActionIcon aria-label="Newest event" disabled={at === 0} onClick={() => setAt(0)}>
          ⇤
        </ActionIcon>
        <ActionIcon aria-label="Newer event" disabled={at === 0} onClick={() => setAt(at - 1)}>
          ←
        </ActionIcon>
        <Text size="sm">
          Event {at + 1} of {(totalCount ?? rows.length).toLocaleString('en')}, <When at={event.receivedAt} />
        </Text>
        <ActionIcon aria-label="Older event" disabled={at >= rows.length - 1 && !hasMore} onClick={older}>
          →
        </ActionIcon>
      </Group>
      <OneEvent key={event.id} event={event} suspects={suspects} />
    </>
  );
}

/** The address names an event of a later page: pages are read until it is there. */
function Unread({ loadMore }: { loadMore: () => void }) {
  useEffect(loadMore);
  return <WaitingRows />;
}

/** Flags as the libraries report them, apart from everything else that went along. */
function withoutFlags(given: unknown): { flags: Record<string, unknown> | null; extra: Record<string, unknown> } {
  const { flags, ...extra } = (given ?? {}) as Record<string, unknown>;
  const isMap = typeof flags === 'object' && flags !== null && !Array.isArray(flags);
  if (!isMap) return { flags: null, extra: (given ?? {}) as Record<string, unknown> };
  return { flags: Object.keys(flags).length > 0 ? (flags as Record<string, unknown>) : null, extra };
}

function OneEvent({ event, suspects }: { event: CrashEvent; suspects: ReadonlySet<string> }) {
  const scope = useScope();
  const tags = Object.entries((event.tags ?? {}) as Record<string, unknown>);
  const { flags, extra } = withoutFlags(event.extra);
  return (
    <div className="two">
      <Stack gap={0}>
        <Panel title={event.exceptionType ?? 'Frames'}>
          <Frames frames={event.frames} raw={event.rawStacktrace} />
        </Panel>
        <Panel title="Breadcrumbs">
          <Breadcrumbs crumbs={event.breadcrumbs} />
        </Panel>
      </Stack>
      <Stack gap={0}>
        <Panel title="Event">
          <Facts
            facts={{
              Release: event.release ?? 'not said',
              Platform: event.platform,
              Happened: <When at={event.occurredAt} />,
              Symbols: event.statusReason ? `${event.symbolication}: ${event.statusReason}` : event.symbolication,
              ...(event.distinctId
                ? {
                    Person: (
                      <Anchor component={Link} to={scopePath(scope, 'people', event.distinctId)} inherit>
                        {event.distinctId}
                      </Anchor>
                    ),
                  }
                : {}),
              ...Object.fromEntries(tags.map(([name, value]) => [name, String(value)])),
            }}
          />
        </Panel>
        {flags && <FlagsInForce flags={flags} suspects={suspects} />}
        {Object.keys(extra).length > 0 && (
          <Panel title="Extra">
            <pre className="code">{JSON.stringify(extra, null, 2)}</pre>
          </Panel>
        )}
      </Stack>
    </div>
  );
}
