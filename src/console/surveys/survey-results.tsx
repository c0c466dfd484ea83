import { Group, Stack, Text } from '@mantine/core';
import { SurveyResultsDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { CountsChart } from '../parts/charts/counts-chart.js';
import { DAY_MS } from '../parts/charts/durations.js';
import { Figure } from '../parts/figure.js';
import { Panel } from '../parts/page.js';
import { Days, useDays } from '../parts/rows/time-window.js';
import { counted } from '../parts/short-numbers.js';
import { WaitingRows } from '../parts/states.js';
import { Muted, PageLink } from '../parts/text.js';
import { DistributionChart, NpsBar } from './distribution-chart.js';

/** A response can claim any date, even in the year 1. */
const MOST_DAYS = 366;

/** Every day from the first to the last response, including days without any; if there are too many to draw, the latest. */
function everyDay(days: readonly { day: string; responses: number }[]): { at: string; count: number }[] {
  const counts = new Map(days.map(({ day, responses }) => [Date.parse(day), responses]));
  const last = Math.max(...counts.keys());
  const first = Math.max(Math.min(...counts.keys()), last - (MOST_DAYS - 1) * DAY_MS);
  return Array.from({ length: (last - first) / DAY_MS + 1 }, (_, at) => {
    const day = first + at * DAY_MS;
    return { at: new Date(day).toISOString(), count: counts.get(day) ?? 0 };
  });
}

/** Results in the environment for the days in the address: scores, days, and answers by question. */
export function Results({ surveyId }: { surveyId: string }) {
  return (
    <>
      <Group gap="xs" mb="sm" align="flex-end">
        <Days />
      </Group>
      <Counted surveyId={surveyId} />
    </>
  );
}

function Counted({ surveyId }: { surveyId: string }) {
  const { environment } = useScope();
  const days = useDays();
  const { data, error } = useDocument(SurveyResultsDocument, { surveyId, environment, ...days });
  const results = data?.surveyResults;
  if (!results) return <WaitingRows error={error} />;
  const { responses, nps, averageScore, overTime, questions } = results;
  if (responses === 0)
    return (
      <Panel title="Results">
        <Muted>
          {days.from || days.to
            ? `No responses in ${environment} on these days.`
            : `No responses in ${environment} yet. Check that the survey is published and that its audience matches someone.`}
        </Muted>
      </Panel>
    );
  const byDay = everyDay(overTime);
  const drawn = byDay.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <div className="figures">
        <Figure name="Responses" value={responses.toLocaleString('en')} />
        {nps?.score !== null && nps?.score !== undefined && (
          <Figure name="NPS" value={`${nps.score > 0 ? '+' : ''}${nps.score.toFixed(0)}`} />
        )}
        {averageScore !== null && <Figure name="Average" value={averageScore.toFixed(2)} />}
      </div>
      <Panel
        title="By day"
        aside={
          drawn < responses && (
            <Muted size="xs">
              {drawn.toLocaleString('en')} of {counted(responses, 'response')}, last {MOST_DAYS} days
            </Muted>
          )
        }
      >
        <CountsChart counts={byDay} interval="day" label="Responses" />
      </Panel>
      {questions.map((question) => (
        <Panel
          key={question.questionId}
          title={question.prompt}
          aside={
            <Group gap="sm">
              {question.average !== null && <Text size="xs">average {question.average.toFixed(2)}</Text>}
              <Muted size="xs">
                {counted(question.answered, 'answer')}
                {question.removed ? ', removed question' : ''}
              </Muted>
            </Group>
          }
        >
          <Stack gap={8}>
            {question.distribution.length === 0 && (
              <Muted>
                {question.answered === 0 ? (
                  'No answers yet.'
                ) : (
                  <PageLink to={['surveys', surveyId]} search={{ tab: 'responses' }}>
                    Read the answers
                  </PageLink>
                )}
              </Muted>
            )}
            <DistributionChart kind={question.kind} shares={question.distribution} />
            {question.nps && <NpsBar nps={question.nps} />}
          </Stack>
        </Panel>
      ))}
    </>
  );
}
