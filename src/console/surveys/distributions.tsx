import { Button, CopyButton, Group } from '@mantine/core';
import { useState } from 'react';
import {
  CreateDistributionDocument,
  DeleteDistributionDocument,
  SurveyDistributionsDocument,
  type SurveyDistributionsQuery,
  type SurveyWholeFragment,
  UpdateDistributionDocument,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { EditDelete } from '../parts/edit-delete.js';
import { NameField } from '../parts/fields/name-field.js';
import { NewByName } from '../parts/fields/new-by-name.js';
import { FormDialog } from '../parts/form-dialog.js';
import { Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { counted } from '../parts/short-numbers.js';
import { WaitingRows } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { WhoMay } from '../parts/who-may.js';

type Distribution = NonNullable<SurveyDistributionsQuery['surveyDistributions']>['nodes'][number];

/** The ways a survey reaches people, with the responses from each. */
export function Distributions({ survey }: { survey: SurveyWholeFragment }) {
  const { environment } = useScope();
  const may = survey.viewerCan.includes('pulse_survey_change');
  const pages = usePages(
    SurveyDistributionsDocument,
    { surveyId: survey.id, environment },
    ({ surveyDistributions }) => surveyDistributions,
  );
  const [renamed, setRenamed] = useState<Distribution | null>(null);
  return (
    <Panel title="Distributions">
      <Muted mb="xs">
        A distribution is one way the survey reaches people, such as a mailing or a page. Responses that include its id
        as <code>context.distribution_id</code> are counted here.
      </Muted>
      {!pages.isKnown && <WaitingRows rows={2} error={pages.error} />}
      <table className="plain-table">
        <tbody>
          {pages.rows.map((distribution) => (
            <DistributionRow
              key={distribution.id}
              distribution={distribution}
              may={may}
              rename={() => setRenamed(distribution)}
            />
          ))}
        </tbody>
      </table>
      <More pages={pages}>Load more</More>
      <WhoMay may={may} weakest="editor" to="create distributions">
        <NewDistribution surveyId={survey.id} />
      </WhoMay>
      {renamed && <Rename distribution={renamed} onClose={() => setRenamed(null)} />}
    </Panel>
  );
}

interface DistributionRowProps {
  distribution: Distribution;
  may: boolean;
  rename: () => void;
}

function DistributionRow({ distribution, may, rename }: DistributionRowProps) {
  const { id, name, responses } = distribution;
  const { environment } = useScope();
  const [remove] = useChange(DeleteDistributionDocument, { quiet: true });
  const [, change] = useSearchState();
  return (
    <tr>
      <td>
        <bdi>{name}</bdi>
      </td>
      <td>
        <Group gap={6} wrap="nowrap">
          <code>{id}</code>
          <CopyButton value={id}>
            {({ copied, copy }) => (
              <Button variant="default" size="compact-xs" aria-label={`Copy id of ${name}`} onClick={copy}>
                {copied ? 'Copied' : 'Copy'}
              </Button>
            )}
          </CopyButton>
        </Group>
      </td>
      <td>
        {responses && (
          <Button variant="subtle" size="compact-xs" onClick={() => change({ tab: 'responses', distribution: id }, {})}>
            {responses.isEstimate ? 'about ' : ''}
            {counted(responses.totalCount, 'response')} in {environment}
          </Button>
        )}
      </td>
      <td>
        <Group gap={4} wrap="nowrap" justify="flex-end">
          <EditDelete
            may={may}
            what={isolated(name)}
            goesAlong={[
              'Its responses stay but are no longer attributed to it. The same applies to new responses with its id.',
            ]}
            onEdit={rename}
            remove={() => remove({ id }, `${isolated(name)} deleted.`)}
          />
        </Group>
      </td>
    </tr>
  );
}

function NewDistribution({ surveyId }: { surveyId: string }) {
  const [create, creating] = useChange(CreateDistributionDocument);
  const make = async (name: string) =>
    !(await create({ input: { surveyId, name } }, `${isolated(name)} created.`)).error;
  return (
    <NewByName label="New distribution" placeholder="Spring newsletter" action="Create" isBusy={creating} make={make} />
  );
}

function Rename({ distribution, onClose }: { distribution: Distribution; onClose: () => void }) {
  const [name, setName] = useState(distribution.name);
  const [update] = useChange(UpdateDistributionDocument, { quiet: true });
  return (
    <FormDialog
      title={distribution.name}
      action="Save"
      main="name"
      save={() => update({ input: { id: distribution.id, name } }, 'Saved.')}
      onClose={onClose}
    >
      {(faultOf) => <NameField value={name} onChange={setName} error={faultOf('name')} />}
    </FormDialog>
  );
}
