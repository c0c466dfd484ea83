import { ActionIcon, Autocomplete, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import {
  CrashEventDocument,
  type CrashIssueQuery,
  IssueEventsDocument,
  type WholeCrashEventFragment,
} from '#documents';
import { isNotFound } from '../data/failures.js';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { type Pages, usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Facts } from '../parts/facts.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { Panel } from '../parts/page.js';
import { useTypedSearch } from '../parts/rows/search-field.js';
import { TimeFields, type TimeWindow, useTimeWindow, windowWords } from '../parts/rows/time-window.js';
import { PartFailed, WaitingRows } from '../parts/states.js';
import { Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';
import { Breadcrumbs } from './breadcrumbs.js';
import { FlagsInForce } from './flags-in-force.js';
import { Frames } from './frames.js';
import { AtAGlance } from './issue-parts.js';
import { SuspectFlags } from './suspect-flags.js';

type Issue = NonNullable<CrashIssueQuery['crashIssue']>;

const NONE_YET: readonly WholeCrashEventFragment[] = [];

/** An issue's events, narrowed to a release or time if the address names one. */
export function IssueEvents({ issue }: { issue: Issue }) {
  const [search] = useSearchState();
  const [typed, setTyped] = useTypedSearch('release');
  const isNarrowed = Boolean(search.release || search.from || search.to);
  const [showsFilters, { toggle }] = useDisclosure(isNarrowed);
  const release = search.release ?? null;
  const receivedAt = useTimeWindow();
  const pages = usePages(IssueEventsDocument, { id: issue.id, release, receivedAt }, (data) => data.crashIssue?.events);
  const releases = [issue.lastRelease, ...pages.rows.map((row) => row.release), issue.firstRelease];
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        mb="xs"
        hiddenFrom="sm"
        aria-expanded={showsFilters}
        aria-controls="event-filters"
        onClick={toggle}
      >
        {isNarrowed ? 'Filtered events' : 'Filter events'}
      </Button>
      <Group
        id="event-filters"
        className="event-filters"
        data-closed={showsFilters ? undefined : true}
        gap="xs"
        mb="xs"
      >
        <Autocomplete
          aria-label="Filter by release"
          placeholder="Any release"
          data={[...new Set(releases.filter((one) => one !== null))]}
          value={typed}
          onChange={setTyped}
          w={180}
        />
        <TimeFields what="Received" />
      </Group>
      <OneByOne issue={issue} pages={pages} release={release} receivedAt={receivedAt} />
    </>
  );
}

interface OneByOneProps {
  issue: Issue;
  pages: Pages<WholeCrashEventFragment>;
  release: string | null;
  receivedAt: TimeWindow | null;
}

/**
 * One event at a time, newest first. The address names the event shown; without one, it stays the event that was
 * newest when the page opened. New arrivals don't replace what you're reading, and neither does a filter that
 * includes it.
 */
function OneByOne({ issue, pages, release, receivedAt }: OneByOneProps) {
  const { projectId } = useScope();
  const [search, change] = useSearchState();
  const { totalCount, hasMore, restError, loadMore } = pages;
  const rows = pages.isBusy ? NONE_YET : pages.rows;
  const [first, setFirst] = useState<string>();
  const id = search.event ?? first;
  const { data, error } = useDocument(CrashEventDocument, { id: id ?? '', projectId }, { pause: id === undefined });
  const event = data?.crashEvent;
  const at = rows.findIndex((row) => row.id === id);
  const isOfThem = [issue, ...issue.merged].some((one) => one.id === event?.issueId);
  const isGone = event ? !isOfThem : isNotFound(error);
  const isLeftOut = event ? isOfThem && !isWithin(event, release, receivedAt) : false;
  const newest = rows[0]?.id;
  if (newest && newest !== first && (first === undefined || ((isGone || isLeftOut) && !search.event))) setFirst(newest);
  const show = (row: { id: string } | undefined) => row && change({ event: row.id });
  const showNewest = useCallback(() => {
    setFirst(newest);
    change({ event: null });
  }, [newest, change]);
  const isToLeave = isLeftOut && Boolean(search.event && newest);
  useEffect(() => {
    if (isToLeave) showNewest();
  }, [isToLeave, showNewest]);
  const oldest = rows.at(-1);
  const isDeeper = at < 0 && event && oldest && event.receivedAt <= oldest.receivedAt;
  const isAtEnd = at >= 0 && at === rows.length - 1;
  const wantsMore = hasMore && !restError && !isLeftOut && Boolean(isDeeper || isAtEnd);
  useEffect(() => {
    if (wantsMore) loadMore();
  }, [wantsMore, loadMore]);
  const page = (above: ReactNode, one: WholeCrashEventFragment | null = null) => (
    <WithEvent issue={issue} event={one} above={above} />
  );
  if (!pages.isKnown) return page(<WaitingRows error={pages.error} />);
  if ((release || receivedAt) && rows.length === 0 && !pages.isBusy)
    return page(
      <Muted mb="md">
        No events{' '}
        {release && (
          <>
            from release <bdi>{release}</bdi>{' '}
          </>
        )}
        received{receivedAt && ` ${windowWords(receivedAt)}`}.
      </Muted>,
    );
  if (id === undefined) return page(<Muted mb="md">Its events are past their retention period.</Muted>);
  if (isGone)
    return page(
      <Group gap="xs" mb="md">
        <Muted>This event doesn't belong to this issue, or no longer does.</Muted>
        <Button variant="default" size="compact-sm" onClick={showNewest}>
          Show newest
        </Button>
      </Group>,
    );
  if (!event) return page(<WaitingRows error={error} />);
  return page(
    <>
      <Group gap="xs" mb="xs">
        <ActionIcon aria-label="Newest event" disabled={at === 0} onClick={showNewest} renderRoot={keepsFocus}>
          ⇤
        </ActionIcon>
        <ActionIcon
          aria-label="Newer event"
          disabled={at <= 0}
          onClick={() => show(rows[at - 1])}
          renderRoot={keepsFocus}
        >
          ←
        </ActionIcon>
        <Text size="sm">
          Event {at < 0 ? '' : `${(at + 1).toLocaleString('en')} `}of {(totalCount ?? rows.length).toLocaleString('en')}
          , <When at={event.receivedAt} />
        </Text>
        <ActionIcon
          aria-label="Older event"
          disabled={at < 0 || at === rows.length - 1}
          onClick={() => show(rows[at + 1])}
          renderRoot={keepsFocus}
        >
          →
        </ActionIcon>
      </Group>
      {restError && <PartFailed what="Older events" error={restError} again={loadMore} />}
    </>,
    event,
  );
}

/** Whether an event matches the filters of the list. */
const isWithin = (event: WholeCrashEventFragment, release: string | null, receivedAt: TimeWindow | null): boolean =>
  (release === null || event.release === release) &&
  (!receivedAt?.from || event.receivedAt >= receivedAt.from) &&
  (!receivedAt?.to || event.receivedAt <= receivedAt.to);

/** Separates the flags that the libraries report from the rest of the extra data. */
function withoutFlags(given: unknown): { flags: Record<string, unknown> | null; extra: Record<string, unknown> } {
  const { flags, ...extra } = (given ?? {}) as Record<string, unknown>;
  const isMap = typeof flags === 'object' && flags !== null && !Array.isArray(flags);
  if (!isMap) return { flags: null, extra: (given ?? {}) as Record<string, unknown> };
  return { flags: Object.keys(flags).length > 0 ? (flags as Record<string, unknown>) : null, extra };
}

interface WithEventProps {
  issue: Issue;
  /** Null while there is none to show. */
  event: WholeCrashEventFragment | null;
  /** Above the event; without one, in its place. */
  above: ReactNode;
}

/** The stack trace first, then what may have caused the crash and what led to it. What belongs to the issue stays while the event changes. */
function WithEvent({ issue, event, above }: WithEventProps) {
  const changes = issue.suspectFlagChanges ?? [];
  const suspects = new Set(changes.flatMap(({ flag }) => flag?.key ?? []));
  return (
    <>
      {event && above}
      <div className="two">
        <Stack gap={0}>
          {event ? (
            <Panel title={event.exceptionType ?? 'Frames'}>
              <Frames key={event.id} frames={event.frames} raw={event.rawStacktrace} />
            </Panel>
          ) : (
            above
          )}
          <SuspectFlags changes={changes} firstSeenAt={issue.firstSeenAt} />
          {event && (
            <Panel title="Breadcrumbs">
              <Breadcrumbs crumbs={event.breadcrumbs} />
            </Panel>
          )}
        </Stack>
        <Stack gap={0}>
          <AtAGlance issue={issue} />
          {event && <EventFacts event={event} suspects={suspects} />}
        </Stack>
      </div>
    </>
  );
}

function EventFacts({ event, suspects }: { event: WholeCrashEventFragment; suspects: ReadonlySet<string> }) {
  const tags = Object.entries((event.tags ?? {}) as Record<string, unknown>);
  const { flags, extra } = withoutFlags(event.extra);
  return (
    <>
      <Panel title="Event">
        <Facts
          facts={{
            Release: event.release ?? 'unknown',
            Platform: event.platform,
            Happened: <When at={event.occurredAt} />,
            Symbols: event.statusReason ? `${event.symbolication}: ${event.statusReason}` : event.symbolication,
            ...(event.distinctId
              ? {
                  Person: <PageLink to={['people', event.distinctId]}>{event.distinctId}</PageLink>,
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
    </>
  );
}
