import { Group } from '@mantine/core';
import { DeleteRespondentDocument, type SurveyResponsesQuery, type SurveyWholeFragment } from '#documents';
import { isolated, notify } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { ConfirmedLoss } from '../parts/confirmed.js';
import { Facts } from '../parts/facts.js';
import { counted } from '../parts/short-numbers.js';
import { Muted } from '../parts/text.js';
import { When } from '../parts/when.js';
import { YES_OR_NO } from './yes-or-no.js';

type SurveyResponse = NonNullable<SurveyResponsesQuery['surveyResponses']>['nodes'][number];

/** An answer in readable form. */
function wordsOf(answer: unknown): string {
  if (typeof answer === 'boolean') return YES_OR_NO[String(answer)] ?? '';
  return Array.isArray(answer) ? answer.join(', ') : String(answer);
}

interface ResponseProps {
  response: SurveyResponse;
  questions: SurveyWholeFragment['questions'];
}

/** A response, in the order of the questions. */
export function Response({ response, questions }: ResponseProps) {
  const { score, surveyVersion, submittedAt, respondent, distribution, answers } = response;
  const places = new Map(questions.map(({ id }, at) => [id, at]));
  const placeOf = ({ questionId }: { questionId: string }): number => places.get(questionId) ?? places.size;
  const who = respondent.email ?? respondent.externalId ?? respondent.userId;
  return (
    <div className="frame">
      <Group justify="space-between" mb={4} wrap="nowrap">
        <Muted size="xs">
          <bdi>{who ?? 'anonymous'}</bdi>, <When at={submittedAt} />
          {score === null ? '' : `, score ${score}`}, version {surveyVersion}
          {distribution && (
            <>
              , via <bdi>{distribution.name}</bdi>
            </>
          )}
        </Muted>
        {who && <Forget who={who} respondent={respondent} />}
      </Group>
      <Facts
        facts={[...answers]
          .sort((one, other) => placeOf(one) - placeOf(other))
          .map((answer) => ({
            id: answer.questionId,
            name: questions[placeOf(answer)]?.prompt ?? `${answer.questionId} (removed question)`,
            fact: wordsOf(answer.value),
          }))}
      />
    </div>
  );
}

/** Deletes a respondent's data at their request. */
function Forget({ who, respondent }: { who: string; respondent: SurveyResponse['respondent'] }) {
  const { projectId } = useScope();
  const may = useMay('pulse_respondent_delete');
  const [remove] = useChange(DeleteRespondentDocument, { quiet: true });
  const { email, externalId, userId } = respondent;
  const run = async () => {
    const answered = await remove({ input: { projectId, email, externalId, userId } });
    const deleted = answered.data?.deleteRespondent;
    if (deleted) notify(`${counted(deleted.responses, 'response')} deleted.`);
    return answered;
  };
  return (
    <ConfirmedLoss
      may={may}
      flex="none"
      action="Delete responses"
      what={`from ${isolated(who)}`}
      goesAlong={[
        'This permanently deletes every response with one of their ids, from all surveys of the project, in live and test.',
        'Results no longer include them.',
      ]}
      run={run}
    />
  );
}
