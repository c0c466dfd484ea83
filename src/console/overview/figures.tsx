import { OverviewFlagsDocument, type OverviewFlagsQuery, type OverviewQuery } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { DAY_MS, HOUR_MS } from '../parts/charts/durations.js';
import { Sparkline } from '../parts/charts/sparkline.js';
import { Figure } from '../parts/figure.js';
import { percentCut, shortNumber } from '../parts/short-numbers.js';
import { PartFailed } from '../parts/states.js';
import { PageLink } from '../parts/text.js';

const FEWEST_MINUTES = 10;

/** The average per minute in the hour counted so far, or in the previous hour while the current one is young. */
function perMinute(hours: readonly number[], lastAt: number, asOf: number): string {
  if (hours.length === 0) return '0';
  const minutes = Math.min(60, (asOf - lastAt) / 60_000);
  const rate = minutes < FEWEST_MINUTES ? (hours.at(-2) ?? 0) / 60 : (hours.at(-1) ?? 0) / minutes;
  return rate === 0 ? '0' : rate < 0.1 ? '< 0.1' : rate < 10 ? rate.toFixed(1) : shortNumber(rate);
}

type Flags = NonNullable<OverviewFlagsQuery['flags']>;

function servedHourly({ nodes }: Flags): number[] {
  const all = nodes.flatMap(({ usage }) => usage.variants.map(({ counts }) => counts));
  return Array.from({ length: all[0]?.length ?? 0 }, (_, at) =>
    all.reduce((sum, counts) => sum + (counts[at] ?? 0), 0),
  );
}

export function Figures({ data, to }: { data: OverviewQuery; to: number }) {
  const { project, eventCounts, crashFreeSessions } = data;
  const scope = useScope();
  const { projectId, environment } = scope;
  const {
    data: answers,
    error,
    refetch,
  } = useDocument(
    OverviewFlagsDocument,
    {
      projectId,
      environment,
      from: new Date(to - DAY_MS).toISOString(),
      to: new Date(to).toISOString(),
    },
    { standsIn: true },
  );
  const flags = answers?.flags;
  const hourly = flags ? servedHourly(flags) : [];
  const stale = flags?.nodes.filter(({ stale: found }) => found) ?? [];
  const hours = (eventCounts?.intervals ?? []).slice(-24);
  const events = hours.map(({ count }) => count);
  const asOf = eventCounts ? Date.parse(eventCounts.asOf) : Date.now();
  const countedTo = flags?.nodes[0] ? Date.parse(flags.nodes[0].usage.to) : to;
  const halts = project?.flags.totalCount ?? 0;
  const part = flags?.pageInfo.hasNextPage ? `of the ${flags.nodes.length} oldest flags` : '';
  const unknown = error ? '–' : '…';
  return (
    <div className="figures">
      <Figure
        name="Halted flags"
        value={<span className={halts > 0 ? 'bad' : undefined}>{halts}</span>}
        below={<PageLink to={['flags']}>Flags</PageLink>}
      />
      <Figure
        name="Events per minute"
        value={eventCounts ? perMinute(events, Date.parse(hours.at(-1)?.at ?? ''), asOf) : '…'}
        below={<Sparkline counts={events} label="Events per hour, last day" />}
      />
      <Figure
        name="Flag evaluations per minute"
        value={flags ? perMinute(hourly, countedTo - HOUR_MS, asOf) : unknown}
        below={
          error && !flags ? (
            <PartFailed
              what="Flag evaluations"
              error={error}
              again={() => refetch({ requestPolicy: 'network-only' })}
            />
          ) : (
            part || <Sparkline counts={hourly} label="Flag evaluations per hour, last day" />
          )
        }
      />
      {crashFreeSessions && crashFreeSessions.crashFree !== null && (
        <Figure
          name="Crash-free sessions"
          value={percentCut(crashFreeSessions.crashFree)}
          below={`of ${shortNumber(crashFreeSessions.sessions)} in ${crashFreeSessions.days.length} days`}
        />
      )}
      <Figure
        name="Open crash issues"
        value={(project?.crashIssues.totalCount ?? 0).toLocaleString('en')}
        below={<PageLink to={['crashes']}>Crashes</PageLink>}
      />
      <Figure
        name="Stale flags"
        value={flags ? stale.length : unknown}
        below={
          stale[0] ? (
            <>
              <PageLink to={['flags', stale[0].key]}>{stale[0].key}</PageLink>
              {stale.length > 1 ? ` and ${stale.length - 1} more` : ''} {part}
            </>
          ) : (
            part || (flags && 'Nothing to clean up')
          )
        }
      />
    </div>
  );
}
