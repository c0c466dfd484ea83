import {
  ArchiveSurveyDocument,
  CloseSurveyDocument,
  PublishSurveyDocument,
  SurveyDocument,
  type SurveyWholeFragment,
  UnarchiveSurveyDocument,
} from '#documents';
import { useParam, useScope } from '../app/scope.js';
import { isNotFound } from '../data/failures.js';
import { useChange, useDocument } from '../data/use-document.js';
import { Confirmed } from '../parts/confirmed.js';
import { Page } from '../parts/page.js';
import { PageTabs } from '../parts/page-tabs.js';
import { Permitted } from '../parts/permitted.js';
import { Failed, Missing, Waiting } from '../parts/states.js';
import { SurveyEditor } from './survey-editor.js';
import { Responses } from './survey-responses.js';
import { Results } from './survey-results.js';
import { SurveyState } from './surveys-page.js';

/** One survey: what came back, and what it asks. */
export function SurveyPage() {
  const { data, error, fetching } = useDocument(SurveyDocument, {
    id: useParam('surveyId'),
    projectId: useScope().projectId,
  });
  const survey = data?.survey;
  if (!survey && isNotFound(error)) return <Missing what="survey" />;
  if (!survey && error && !fetching) return <Failed error={error} />;
  if (!survey) return <Waiting />;
  return (
    <Page
      title={survey.name}
      above={{ name: 'Surveys', path: 'surveys' }}
      beside={<SurveyState status={survey.status} />}
      actions={<Actions survey={survey} />}
    >
      <PageTabs
        tabs={[
          { value: 'results', name: 'Results', content: <Results surveyId={survey.id} /> },
          { value: 'responses', name: 'Responses', content: <Responses survey={survey} /> },
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
  const { id, name, status } = survey;
  const may = survey.viewerCan.includes('pulse_survey_change');
  const [publish, publishing] = useChange(PublishSurveyDocument);
  const [close, closing] = useChange(CloseSurveyDocument);
  const [archive] = useChange(ArchiveSurveyDocument);
  const [unarchive, unarchiving] = useChange(UnarchiveSurveyDocument);
  const takeOut = () => unarchive({ id }, 'It is back.');
  return (
    <>
      {status === 'draft' && (
        <Permitted may={may} loading={publishing} onClick={() => publish({ id }, 'Apps ask it from now on.')}>
          Publish
        </Permitted>
      )}
      {status === 'published' && (
        <Permitted may={may} loading={closing} onClick={() => close({ id }, 'Nobody is asked any more.')}>
          Close
        </Permitted>
      )}
      {status === 'archived' ? (
        <Permitted may={may} variant="default" loading={unarchiving} onClick={takeOut}>
          Take out of the archive
        </Permitted>
      ) : (
        <Confirmed
          action="Archive"
          what={name}
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
