import {
  ArchiveSurveyDocument,
  CloseSurveyDocument,
  PublishSurveyDocument,
  SurveyDocument,
  type SurveyWholeFragment,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useIsHere, useParam } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Confirmed } from '../parts/confirmed.js';
import { Page } from '../parts/page.js';
import { PageTabs, useSavedFirst } from '../parts/page-tabs.js';
import { Permitted } from '../parts/permitted.js';
import { Absent, Missing } from '../parts/states.js';
import { Distributions } from './distributions.js';
import { audienceWords } from './predicate-words.js';
import { SurveyEditor } from './survey-editor.js';
import { Responses } from './survey-responses.js';
import { Results } from './survey-results.js';
import { SurveyState } from './surveys-page.js';
import { useTakeOut } from './use-take-out.js';

export function SurveyPage() {
  const { data, error, fetching } = useDocument(SurveyDocument, { id: useParam('surveyId') });
  const survey = data?.survey;
  const isHere = useIsHere(survey);
  if (survey && !isHere) return <Missing what="survey" />;
  if (!survey) return <Absent what="survey" error={error} isAsked={fetching} />;
  return (
    <Page
      title={survey.name}
      above={{ name: 'Surveys', path: 'surveys' }}
      audited={{ objectType: 'survey', objectId: survey.id }}
      beside={<SurveyState status={survey.status} />}
      actions={<Actions survey={survey} />}
    >
      <PageTabs
        tabs={[
          { value: 'results', name: 'Results', content: <Results surveyId={survey.id} /> },
          { value: 'responses', name: 'Responses', content: <Responses survey={survey} /> },
          { value: 'distributions', name: 'Distributions', content: <Distributions survey={survey} /> },
          {
            value: 'questions',
            name: 'Editor',
            content: <SurveyEditor survey={survey} />,
          },
        ]}
      />
    </Page>
  );
}

function Actions({ survey }: { survey: SurveyWholeFragment }) {
  const { id, name, status, questions, targetingRules, autoShow } = survey;
  const may = survey.viewerCan.includes('pulse_survey_change');
  const mayPublish = useSavedFirst(may);
  const [publish] = useChange(PublishSurveyDocument, { quiet: true });
  const [publishAgain] = useChange(PublishSurveyDocument);
  const [close] = useChange(CloseSurveyDocument, { quiet: true });
  const [archive] = useChange(ArchiveSurveyDocument, { quiet: true });
  const [takeOut, unarchiving] = useTakeOut();
  return (
    <>
      {(status === 'draft' || status === 'closed') && (
        <Confirmed
          {...mayPublish}
          isMild
          action="Publish"
          what={isolated(name)}
          goesAlong={[
            questions.length === 1 ? 'It asks one question.' : `It asks ${questions.length} questions.`,
            audienceWords(targetingRules),
            autoShow
              ? 'Apps start showing it when they next check, in live and test.'
              : 'Apps can show it from their code, in live and test.',
            "You can edit it while it's published, and close it at any time.",
          ]}
          run={() => publish({ id }, 'Survey published.')}
        />
      )}
      {status === 'published' && (
        <Confirmed
          may={may}
          variant="default"
          action="Close"
          what={isolated(name)}
          goesAlong={[
            'Apps stop showing it, and responses still on their way are refused.',
            'You keep its responses, results and history, and can publish it again.',
          ]}
          run={() => close({ id }, 'Survey closed.', () => publishAgain({ id }, 'Survey published again.'))}
        />
      )}
      {status === 'archived' ? (
        <Permitted may={may} variant="default" loading={unarchiving} onClick={() => takeOut(survey)}>
          Unarchive
        </Permitted>
      ) : (
        <Confirmed
          action="Archive"
          what={isolated(name)}
          goesAlong={[
            status === 'published' ? 'Apps stop showing it, and responses still on their way are refused.' : null,
            'You keep its responses, results and history.',
            'You can unarchive it later, as a draft.',
          ].filter((line) => line !== null)}
          may={may}
          variant="default"
          run={() => archive({ id }, 'Survey archived.', () => takeOut(survey))}
        />
      )}
    </>
  );
}
