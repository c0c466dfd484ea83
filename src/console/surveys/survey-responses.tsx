import { Group, Select, Text } from '@mantine/core';
import { DistributionNamesDocument, SurveyResponsesDocument, type SurveyWholeFragment } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { WaitingRows } from '../parts/states.js';
import { ResponsesExport } from './responses-export.js';
import { Response } from './survey-response.js';

interface DistributionChoiceProps {
  surveyId: string;
  value: string | null;
  onChange: (id: string | null) => void;
}

/** By which of the newest hundred ways the responses came; not there for a survey without distributions. */
function DistributionChoice({ surveyId, value, onChange }: DistributionChoiceProps) {
  const { data } = useDocument(DistributionNamesDocument, { surveyId });
  const names = new Map(data?.surveyDistributions?.nodes.map(({ id, name }) => [id, name]));
  // One that is older than those, or deleted, is named by its id.
  if (value !== null && data && !names.has(value)) names.set(value, value);
  if (names.size === 0) return null;
  return (
    <Select
      aria-label="Distribution"
      placeholder="All distributions"
      data={[...names].map(([id, label]) => ({ value: id, label }))}
      value={value}
      onChange={onChange}
      clearable
      searchable
      w={200}
    />
  );
}

/** Single responses, the newest first. */
export function Responses({ survey }: { survey: SurveyWholeFragment }) {
  const { environment } = useScope();
  const [search, change] = useSearchState();
  const distribution = search.distribution ?? null;
  const pages = usePages(
    SurveyResponsesDocument,
    {
      surveyId: survey.id,
      filter: {
        inEnvironment: { eq: environment },
        ...(distribution === null ? {} : { attributedTo: { eq: distribution } }),
      },
    },
    ({ surveyResponses }) => surveyResponses,
  );
  return (
    <Panel
      title="Responses"
      aside={
        <Group gap="xs">
          <DistributionChoice
            surveyId={survey.id}
            value={distribution}
            onChange={(id) => change({ distribution: id })}
          />
          {pages.rows.length > 0 && <ResponsesExport survey={survey} />}
        </Group>
      }
    >
      {!pages.isKnown && <WaitingRows rows={4} error={pages.error} />}
      {pages.isKnown && pages.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          None in {environment} {distribution === null ? 'yet' : 'by this distribution'}.
        </Text>
      )}
      {pages.rows.map((response) => (
        <Response key={response.id} response={response} questions={survey.questions} />
      ))}
      <More pages={pages}>Older responses</More>
    </Panel>
  );
}
