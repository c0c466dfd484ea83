import { Text } from '@mantine/core';
import { SurveyResponsesDocument, type SurveyWholeFragment } from '#documents';
import { useScope } from '../data/scope.js';
import { usePages } from '../data/use-pages.js';
import { Facts } from '../parts/facts.js';
import { Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';
import { ResponsesExport } from './responses-export.js';

/** An answer as a person reads it. */
function wordsOf(answer: unknown): string {
  if (typeof answer === 'boolean') return answer ? 'yes' : 'no';
  return Array.isArray(answer) ? answer.join(', ') : String(answer);
}

/** Single responses, the newest first. */
export function Responses({ survey }: { survey: SurveyWholeFragment }) {
  const { environment } = useScope();
  const pages = usePages(
    SurveyResponsesDocument,
    { surveyId: survey.id, environment },
    ({ surveyResponses }) => surveyResponses,
  );
  const places = new Map(survey.questions.map(({ id }, at) => [id, at]));
  const placeOf = ({ questionId }: { questionId: string }): number => places.get(questionId) ?? places.size;
  return (
    <Panel title="Responses" aside={pages.rows.length > 0 ? <ResponsesExport survey={survey} /> : null}>
      {!pages.isKnown && <WaitingRows rows={4} error={pages.error} />}
      {pages.isKnown && pages.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          None in {environment} yet.
        </Text>
      )}
      {pages.rows.map(({ id, score, submittedAt, respondent, answers }) => (
        <div key={id} className="frame">
          <Text size="xs" c="dimmed" mb={4}>
            <bdi>{respondent.email ?? respondent.externalId ?? respondent.userId ?? 'somebody'}</bdi>,{' '}
            <When at={submittedAt} />
            {score === null ? '' : `, score ${score}`}
          </Text>
          <Facts
            facts={[...answers]
              .sort((one, other) => placeOf(one) - placeOf(other))
              .map((answer) => ({
                id: answer.questionId,
                name: survey.questions[placeOf(answer)]?.prompt ?? `${answer.questionId}, asked no more`,
                fact: wordsOf(answer.value),
              }))}
          />
        </div>
      ))}
      <More pages={pages}>Older responses</More>
    </Panel>
  );
}
