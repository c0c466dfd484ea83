import { OverviewFlagsDocument, type OverviewQuery } from '#documents';
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
  const stale = answers?.flags;
  const usage = answers?.flagsUsage;
  const hours = (eventCounts?.intervals ?? []).slice(-24);
  const events = hours.map(({ count }) => count);
  const asOf = eventCounts ? Date.parse(eventCounts.asOf) : Date.now();
  const oldest = stale?.nodes[0];
  const others = (stale?.totalCount ?? 1) - 1;
  const halts = project?.flags.totalCount ?? 0;
  const unknown = error ? '–' : '…';
  return (
    <div className="figures">
      <Figure
        name="Halted flags"
        value={<span className={halts > 0 ? 'bad' : undefined}>{halts.toLocaleString('en')}</span>}
        below={<PageLink to={['flags']}>Flags</PageLink>}
      />
      <Figure
        name="Events per minute"
        value={eventCounts ? perMinute(events, Date.parse(hours.at(-1)?.at ?? ''), asOf) : '…'}
        below={<Sparkline counts={events} label="Events per hour, last day" />}
      />
      <Figure
        name="Flag evaluations per minute"
        value={usage ? perMinute(usage.counts, Date.parse(usage.to) - HOUR_MS, asOf) : unknown}
        below={
          error && !usage ? (
            <PartFailed
              what="Flag evaluations"
              error={error}
              again={() => refetch({ requestPolicy: 'network-only' })}
            />
          ) : (
            <Sparkline counts={usage?.counts ?? []} label="Flag evaluations per hour, last day" />
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
        value={stale?.totalCount.toLocaleString('en') ?? unknown}
        below={
          oldest ? (
            <>
              <PageLink to={['flags', oldest.key]}>{oldest.key}</PageLink>
              {others > 0 ? ` and ${others.toLocaleString('en')} more` : ''}
            </>
          ) : (
            stale && 'Nothing to clean up'
          )
        }
      />
    </div>
  );
}
