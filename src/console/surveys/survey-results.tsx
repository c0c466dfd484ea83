import { Group, Progress, Stack, Text } from '@mantine/core';
import { SurveyResultsDocument } from '#documents';
import { useScope } from '../app/scope.js';
import { useDocument } from '../data/use-document.js';
import { CountsChart } from '../parts/counts-chart.js';
import { Panel } from '../parts/page.js';
import { Waiting } from '../parts/states.js';

/** What people answered in the environment: scores, days, and each question's shares. */
export function Results({ surveyId }: { surveyId: string }) {
  const { environment } = useScope();
  const { data } = useDocument(SurveyResultsDocument, { surveyId, environment });
  const results = data?.surveyResults;
  if (!results) return <Waiting />;
  const { responses, nps, averageScore, overTime, questions } = results;
  if (responses === 0)
    return (
      <Panel title="Results">
        <Text size="sm" c="dimmed">
          No response in {environment} yet. Is it published, and does the audience hold for anybody?
        </Text>
      </Panel>
    );
  return (
    <>
      <Group gap="xl" mb="md">
        <Figure name="Responses" value={responses.toLocaleString('en')} />
        {nps?.score !== null && nps?.score !== undefined && <Figure name="NPS" value={nps.score.toFixed(0)} />}
        {averageScore !== null && <Figure name="Average" value={averageScore.toFixed(2)} />}
      </Group>
      <Panel title="By day">
        <CountsChart
          counts={overTime.map(({ day, responses: count }) => ({ at: day, count }))}
          interval="day"
          label="Responses"
        />
      </Panel>
      {questions.map((question) => (
        <Panel
          key={question.questionId}
          title={question.prompt}
          aside={
            <Text size="xs" c="dimmed">
              {question.answered} answers{question.removed ? ', asked no more' : ''}
            </Text>
          }
        >
          <Stack gap={6}>
            {question.distribution.length === 0 && (
              <Text size="sm" c="dimmed">
                Free text: see the responses.
              </Text>
            )}
            {question.distribution.map(({ value, count, share }) => (
              <div key={value}>
                <Group justify="space-between">
                  <Text size="sm">{value}</Text>
                  <Text size="xs" c="dimmed">
                    {count} · {(share * 100).toFixed(0)} %
                  </Text>
                </Group>
                <Progress value={share * 100} size="sm" aria-label={`${value}: ${count}`} />
              </div>
            ))}
          </Stack>
        </Panel>
      ))}
    </>
  );
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600} fz={24}>
        {value}
      </Text>
    </div>
  );
}
