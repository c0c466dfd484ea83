import { Tabs } from '@mantine/core';
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
import { useSearchState } from '../data/use-search-state.js';
import { Confirmed } from '../parts/confirmed.js';
import { Page } from '../parts/page.js';
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
  const [search, change] = useSearchState();
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
      <Tabs value={search.tab ?? 'results'} onChange={(tab) => change({ tab: tab === 'results' ? null : tab })}>
        <Tabs.List mb="md">
          <Tabs.Tab value="results">Results</Tabs.Tab>
          <Tabs.Tab value="responses">Responses</Tabs.Tab>
          <Tabs.Tab value="questions">Editor</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="results">
          <Results surveyId={survey.id} />
        </Tabs.Panel>
        <Tabs.Panel value="responses">
          <Responses survey={survey} />
        </Tabs.Panel>
        <Tabs.Panel value="questions">
          <SurveyEditor survey={survey} cohorts={data.cohorts?.nodes.map(({ name }) => name) ?? []} />
        </Tabs.Panel>
      </Tabs>
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
        <Permitted may={may} variant="default" loading={unarchiving} onClick={() => unarchive({ id }, 'It is back.')}>
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
          run={() => archive({ id }, 'It is in the archive.')}
        />
      )}
    </>
  );
}
