import { Button, Menu } from '@mantine/core';
import { useClient } from 'urql';
import {
  type ExportFormat,
  ExportResponsesDocument,
  type ExportResponsesQuery,
  type SurveyWholeFragment,
} from '#documents';
import { messageOf } from '../data/failures.js';
import { notifyFailure } from '../data/notify.js';
import { useScope } from '../data/scope.js';

/** Downloads all responses in the environment, using the server's export. */
export function ResponsesExport({ survey }: { survey: SurveyWholeFragment }) {
  const client = useClient();
  const { environment } = useScope();
  const download = async (format: ExportFormat) => {
    const { data, error } = await client.query<ExportResponsesQuery>(
      ExportResponsesDocument.toString(),
      { surveyId: survey.id, environment, format },
      { requestPolicy: 'network-only' },
    );
    const link = data?.survey?.responsesDownloadUrl;
    if (link) window.location.assign(link);
    else notifyFailure(error ? messageOf(error) : "Your role can't read responses. Ask a project admin.");
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">Export all</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>All responses in {environment}, ignoring filters</Menu.Label>
        <Menu.Item onClick={() => download('csv')}>CSV, one column per question</Menu.Item>
        <Menu.Item onClick={() => download('ndjson')}>NDJSON, one response per line</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
