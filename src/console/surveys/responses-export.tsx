import { Button, Group, Menu, Progress, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useClient } from 'urql';
import { ExportResponsesDocument, type ExportResponsesQuery, type SurveyWholeFragment } from '#documents';
import { isTooLarge, messageOf } from '../data/failures.js';
import { useScope } from '../data/scope.js';
import { FEW_ROWS } from '../data/use-pages.js';

const WHOLE_PAGE = 100;

type Response = NonNullable<ExportResponsesQuery['surveyResponses']>['nodes'][number];

/** As the export of the REST face has it: what begins like a formula would be one in a spreadsheet. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r]/u;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/;

const cellOf = (value: unknown): string => {
  const text = value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
};

function csvOf(responses: readonly Response[], survey: SurveyWholeFragment): string {
  const ids = [
    ...new Set([
      ...survey.questions.map(({ id }) => id),
      ...responses.flatMap(({ answers }) => answers.map(({ questionId }) => questionId)),
    ]),
  ];
  const prompts = new Map(survey.questions.map(({ id, prompt }) => [id, prompt]));
  const head = ['id', 'submitted_at', 'survey_version', 'score', 'user_id', 'external_id', 'email'];
  const lines = responses.map(({ id, submittedAt, surveyVersion, score, respondent, answers }) => {
    const given = new Map(answers.map(({ questionId, value }) => [questionId, value]));
    const { userId, externalId, email } = respondent;
    return [id, submittedAt, surveyVersion, score, userId, externalId, email, ...ids.map((one) => given.get(one))];
  });
  return [[...head, ...ids.map((id) => prompts.get(id) ?? id)], ...lines]
    .map((cells) => cells.map(cellOf).join(','))
    .join('\r\n');
}

function download(text: string, type: string, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** All responses of the environment as a file, read page by page, with a way to stop. */
export function ResponsesExport({ survey }: { survey: SurveyWholeFragment }) {
  const client = useClient();
  const { environment } = useScope();
  const [progress, setProgress] = useState<{ read: number; total: number } | null>(null);
  const [fault, setFault] = useState('');
  const stopped = useRef(false);
  const read = (after: string | null, first: number) =>
    client
      .query<ExportResponsesQuery>(
        ExportResponsesDocument.toString(),
        { surveyId: survey.id, environment, first, after },
        { requestPolicy: 'network-only' },
      )
      .toPromise();
  const run = async (format: 'csv' | 'json') => {
    stopped.current = false;
    setFault('');
    const responses: Response[] = [];
    let after: string | null = null;
    for (;;) {
      let { data, error } = await read(after, WHOLE_PAGE);
      if (isTooLarge(error)) ({ data, error } = await read(after, FEW_ROWS));
      const page = data?.surveyResponses;
      if (stopped.current || !page) {
        setProgress(null);
        if (error) setFault(messageOf(error));
        return;
      }
      responses.push(...page.nodes);
      setProgress({ read: responses.length, total: page.totalCount });
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
    }
    setProgress(null);
    const name = `${survey.slug}-${environment}.${format}`;
    if (format === 'csv') download(csvOf(responses, survey), 'text/csv', name);
    else download(JSON.stringify(responses, null, 2), 'application/json', name);
  };
  if (progress)
    return (
      <Group gap="xs" w={280} wrap="nowrap" role="status">
        <Progress
          flex={1}
          value={(100 * progress.read) / Math.max(1, progress.total)}
          aria-label={`${progress.read} of ${progress.total} read`}
        />
        <Text size="xs">
          {progress.read.toLocaleString('en')} of {progress.total.toLocaleString('en')}
        </Text>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            stopped.current = true;
          }}
        >
          Stop
        </Button>
      </Group>
    );
  return (
    <Group gap="xs">
      {fault && (
        <Text size="xs" className="bad" role="alert">
          {fault}
        </Text>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Export</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => run('csv')}>CSV, a column a question</Menu.Item>
          <Menu.Item onClick={() => run('json')}>JSON</Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </Group>
  );
}
