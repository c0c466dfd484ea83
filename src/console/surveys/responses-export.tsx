import { Button, Menu } from '@mantine/core';
import { useClient } from 'urql';
import {
  type ExportFormat,
  ExportResponsesDocument,
  type ExportResponsesQuery,
  type SurveyWholeFragment,
} from '#documents';
import { messageOf } from '../data/failures.js';
import { useScope } from '../data/scope.js';
import { tellFailure } from '../data/tell.js';

/** All responses of the environment as a file, which is the server's own export. */
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
    else tellFailure(error ? messageOf(error) : 'Your role may not read the responses.');
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default">Export all</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Every response in {environment}, whatever is shown here</Menu.Label>
        <Menu.Item onClick={() => download('csv')}>CSV, a column a question</Menu.Item>
        <Menu.Item onClick={() => download('ndjson')}>NDJSON, a response a line</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
