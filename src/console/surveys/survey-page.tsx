import {
  ArchiveSurveyDocument,
  CloseSurveyDocument,
  PublishSurveyDocument,
  SurveyDocument,
  type SurveyWholeFragment,
  UnarchiveSurveyDocument,
} from '#documents';
import { isNotFound } from '../data/failures.js';
import { useIsHere, useParam, useScope } from '../data/scope.js';
import { isolated } from '../data/tell.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Confirmed } from '../parts/confirmed.js';
import { Page } from '../parts/page.js';
import { PageTabs, useSavedFirst } from '../parts/page-tabs.js';
import { Permitted } from '../parts/permitted.js';
import { Failed, Missing, Waiting } from '../parts/states.js';
import { Distributions } from './distributions.js';
import { audienceWords } from './predicate-words.js';
import { SurveyEditor } from './survey-editor.js';
import { Responses } from './survey-responses.js';
import { Results } from './survey-results.js';
import { SurveyState } from './surveys-page.js';

export function SurveyPage() {
  const { data, error, fetching } = useDocument(SurveyDocument, {
    id: useParam('surveyId'),
    projectId: useScope().projectId,
  });
  const survey = data?.survey;
  const isHere = useIsHere(survey);
  if (survey ? !isHere : isNotFound(error)) return <Missing what="survey" />;
  if (!survey && error && !fetching) return <Failed error={error} />;
  if (!survey) return <Waiting />;
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
            content: <SurveyEditor survey={survey} cohorts={data.cohorts?.nodes.map(({ name }) => name) ?? []} />,
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
  const [publish] = useChange(PublishSurveyDocument);
  const [close] = useChange(CloseSurveyDocument);
  const [archive] = useChange(ArchiveSurveyDocument);
  const [unarchive, unarchiving] = useChange(UnarchiveSurveyDocument);
  const takeOut = () => unarchive({ id }, 'It is back.');
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
              ? 'Apps ask it from the next time that they look, live and test alike.'
              : 'Apps may ask it from now on, live and test alike, where their code shows it.',
            'It can be closed at any time, and changed while it is out.',
          ]}
          run={() => publish({ id }, 'Apps ask it from now on.')}
        />
      )}
      {status === 'published' && (
        <Confirmed
          may={may}
          variant="default"
          action="Close"
          what={isolated(name)}
          goesAlong={[
            'Nobody is asked any more, and answers that are still on their way are refused.',
            'Its responses, its results and its history stay. It can be published again.',
          ]}
          run={() => close({ id }, 'Nobody is asked any more.', () => publish({ id }, 'Apps ask it again.'))}
        />
      )}
      {status === 'archived' ? (
        <Permitted may={may} variant="default" loading={unarchiving} onClick={takeOut}>
          Take out of the archive
        </Permitted>
      ) : (
        <Confirmed
          action="Archive"
          what={isolated(name)}
          goesAlong={[
            status === 'published' ? 'Apps ask it no more, and answers that are still on their way are refused.' : null,
            'Its responses, its results and its history stay.',
            'It can be taken out of the archive, as a draft.',
          ].filter((line) => line !== null)}
          may={may}
          variant="default"
          // Out of the archive it is a draft, which undoes nothing for one that was published.
          run={() => archive({ id }, 'It is in the archive.', status === 'draft' ? takeOut : undefined)}
        />
      )}
    </>
  );
}
