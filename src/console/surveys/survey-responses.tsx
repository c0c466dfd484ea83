import { Group, NumberInput, Select } from '@mantine/core';
import {
  DistributionNameDocument,
  DistributionNamesDocument,
  SurveyResponsesDocument,
  type SurveyWholeFragment,
} from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { useChoices } from '../parts/fields/use-choices.js';
import { Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';
import { useTypedSearch } from '../parts/rows/search-field.js';
import { Days, useDays } from '../parts/rows/time-window.js';
import { ResponsesExport } from './responses-export.js';
import { Response } from './survey-response.js';

/** Filters responses by distribution; hidden for a survey without any. */
function DistributionChoice({ surveyId }: { surveyId: string }) {
  const [{ distribution: id }, change] = useSearchState();
  const offered = useChoices(DistributionNamesDocument, { surveyId }, ({ surveyDistributions }) => surveyDistributions);
  const { hasMore, search } = offered;
  const other = hasMore !== undefined && !offered.rows.some((row) => row.id === id) ? id : undefined;
  const { data } = useDocument(DistributionNameDocument, { id: other ?? '' }, { pause: !other || !hasMore });
  // A deleted distribution is shown by its id.
  const rows = [...offered.rows, ...(other ? [data?.surveyDistribution ?? { id: other, name: other }] : [])];
  if (rows.length === 0) return null;
  return (
    <Select
      label="Distribution"
      placeholder="All"
      data={rows.map((row) => ({ value: row.id, label: row.name }))}
      value={id ?? null}
      onSearchChange={search}
      onChange={(next) => change({ distribution: next })}
      clearable
      searchable
      w={200}
    />
  );
}

/** A whole number from the address; null if it isn't one. */
function numberOf(text: string | undefined): number | null {
  return /^-?\d{1,9}$/.test(text ?? '') ? Number(text) : null;
}

function NumberChoice({ label, name }: { label: string; name: string }) {
  const [typed, setTyped] = useTypedSearch(name);
  return (
    <NumberInput
      label={label}
      allowDecimal={false}
      value={typed}
      onChange={(number) => setTyped(String(number))}
      w={100}
    />
  );
}

/** The response filters from the address. */
function useNarrowed() {
  const [search] = useSearchState();
  return {
    attributedTo: { eq: search.distribution ?? null },
    submittedAt: useDays(),
    score: { from: numberOf(search.least), to: numberOf(search.most) },
    version: { eq: numberOf(search.version) },
  };
}

/** Individual responses, newest first. */
export function Responses({ survey }: { survey: SurveyWholeFragment }) {
  const { environment } = useScope();
  const narrowed = useNarrowed();
  const isNarrowed = Object.values(narrowed).some((by) => Object.values(by).some((value) => value !== null));
  const pages = usePages(
    SurveyResponsesDocument,
    { surveyId: survey.id, filter: { inEnvironment: { eq: environment }, ...narrowed } },
    ({ surveyResponses }) => surveyResponses,
  );
  return (
    <Panel title="Responses" aside={(pages.rows.length > 0 || isNarrowed) && <ResponsesExport survey={survey} />}>
      <Group gap="xs" mb="sm" align="flex-end">
        <Days />
        <NumberChoice label="Score from" name="least" />
        <NumberChoice label="Score to" name="most" />
        <NumberChoice label="Version" name="version" />
        <DistributionChoice surveyId={survey.id} />
      </Group>
      <NoRows pages={pages} expected={4}>
        {isNarrowed ? `No matching responses in ${environment}.` : `No responses in ${environment} yet.`}
      </NoRows>
      {pages.rows.map((response) => (
        <Response key={response.id} response={response} questions={survey.questions} />
      ))}
      <More pages={pages}>Load older responses</More>
    </Panel>
  );
}
