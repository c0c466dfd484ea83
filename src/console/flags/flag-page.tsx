import { Badge, Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import {
  ArchiveFlagDocument,
  FlagByKeyDocument,
  type FlagWholeFragment,
  HaltEvidenceDocument,
  ResumeFlagDocument,
  UnarchiveFlagDocument,
} from '#documents';
import { isNotFound } from '../data/failures.js';
import { useMay, useParam, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { useOpened } from '../data/use-opened.js';
import { Confirmed } from '../parts/confirmed.js';
import { Page, Panel } from '../parts/page.js';
import { PageTabs, useSavedFirst } from '../parts/page-tabs.js';
import { Permitted } from '../parts/permitted.js';
import { Failed, Missing, Waiting } from '../parts/states.js';
import { When } from '../parts/when.js';
import { AudienceSize } from '../rules/audience-size.js';
import { Evidence } from './evidence.js';
import { flagDraftOf } from './flag-draft.js';
import { FlagEditor } from './flag-editor.js';
import { FlagHistory } from './flag-history.js';
import { FlagState } from './flag-state.js';
import { FlagUsage } from './flag-usage.js';
import { HaltDialog } from './halt-dialog.js';
import { TryFlag } from './try-flag.js';

/** One flag: its targeting, a trial as a person, its history, the halt. */
export function FlagPage() {
  const { projectId, environment } = useScope();
  const key = useParam('flagKey');
  const { data, error, fetching } = useDocument(FlagByKeyDocument, { projectId, environment, key });
  const flag = data?.flagByKey;
  if (!flag && isNotFound(error)) return <Missing what="flag" />;
  if (!flag && error && !fetching) return <Failed error={error} />;
  if (!flag) return <Waiting />;
  return <LoadedFlag key={flag.id} flag={flag} cohorts={data?.cohorts?.nodes.map(({ name }) => name) ?? []} />;
}

function LoadedFlag({ flag, cohorts }: { flag: FlagWholeFragment; cohorts: string[] }) {
  const [isHalting, open, close] = useOpened('halt', !flag.haltedAt && flag.viewerCan.includes('switch_flag_halt'));
  return (
    <Page
      title={flag.key}
      above={{ name: 'Flags', path: 'flags' }}
      audited={{ objectType: 'flag', objectId: flag.id }}
      beside={
        <Group gap={6}>
          <FlagState flag={flag} />
          <Badge color="gray">{flag.kind}</Badge>
          <Badge color="gray">v{flag.currentVersion}</Badge>
        </Group>
      }
      actions={<Actions flag={flag} onHalt={open} />}
    >
      {flag.haltedAt && (
        <div className="halted" role="status">
          <Text size="sm" fw={600}>
            Halted <When at={flag.haltedAt} />: everybody gets {flag.defaultVariant}
          </Text>
          <Text size="sm">{flag.haltReason}</Text>
          <HaltEvidence flagId={flag.id} />
        </div>
      )}
      <PageTabs
        tabs={[
          {
            value: 'targeting',
            name: 'Targeting',
            content: (
              <div className="two">
                <FlagEditor flag={flag} cohorts={cohorts} />
                <FlagUsage flag={flag} />
              </div>
            ),
          },
          {
            value: 'try',
            name: 'Try as a person',
            content: (
              <Panel title="Try as a person">
                <TryFlag flagId={flag.id} cohorts={cohorts} />
              </Panel>
            ),
          },
          { value: 'history', name: 'History', content: <FlagHistory flag={flag} /> },
        ]}
      />
      {isHalting && <HaltDialog flag={flag} onClose={close} />}
    </Page>
  );
}

/** For those who may read the audit log, which has it. */
function HaltEvidence({ flagId }: { flagId: string }) {
  const { projectId } = useScope();
  const pause = !useMay('audit_view');
  const { data } = useDocument(HaltEvidenceDocument, { projectId, flagId }, { pause });
  return <Evidence data={data?.auditLog?.nodes[0]?.data} />;
}

function Actions({ flag, onHalt }: { flag: FlagWholeFragment; onHalt: () => void }) {
  const [resume] = useChange(ResumeFlagDocument);
  const [archive] = useChange(ArchiveFlagDocument);
  const [unarchive, unarchiving] = useChange(UnarchiveFlagDocument);
  const may = (action: (typeof flag.viewerCan)[number]) => flag.viewerCan.includes(action);
  const mayArchive = may('switch_flag_archive');
  const mayResume = useSavedFirst(may('switch_flag_resume'));
  const takeOut = () => unarchive({ flagId: flag.id }, `${flag.key} is back.`);
  if (flag.isArchived)
    return (
      // With a key of its own it does not become the button that halts under the finger of whoever has pressed it.
      <Permitted key="takeOut" may={mayArchive} variant="default" loading={unarchiving} onClick={takeOut}>
        Take out of the archive
      </Permitted>
    );
  return (
    <>
      {flag.haltedAt ? (
        <Confirmed
          {...mayResume}
          isMild
          action="Resume"
          what={`${flag.key} in ${flag.environment}`}
          goesAlong={[
            <Fragment key="reason">
              It was halted <When at={flag.haltedAt} />: <bdi>{flag.haltReason}</bdi>
            </Fragment>,
            <Fragment key="rules">
              {flag.rules.length === 0 ? (
                'It has no rules: everybody goes on getting '
              ) : (
                <>
                  {flag.rules.length === 1 ? 'Its rule decides' : `Its ${flag.rules.length} rules decide`} again at
                  once; whoever none covers gets{' '}
                </>
              )}
              <code>{flag.defaultVariant}</code>. <AudienceSize rules={flagDraftOf(flag).rules} salt={flag.key} />
            </Fragment>,
            flag.neededBy.length > 0 ? `These flags go by it again: ${flag.neededBy.join(', ')}.` : null,
          ].filter((line) => line !== null)}
          run={() => resume({ input: { flagId: flag.id } }, `${flag.key} decides by its rules again.`)}
        />
      ) : (
        <Permitted may={may('switch_flag_halt')} color="red" onClick={onHalt}>
          Halt
        </Permitted>
      )}
      <Confirmed
        action="Archive"
        what={flag.key}
        goesAlong={[
          <Fragment key="served">
            Everybody gets <code>{flag.defaultVariant}</code> at once.
          </Fragment>,
          <Fragment key="told">
            Last evaluated: <When at={flag.lastEvaluatedAt} />
          </Fragment>,
          flag.neededBy.length > 0 ? `These flags need it: ${flag.neededBy.join(', ')}.` : 'No other flag needs it.',
          'Its history stays, and it can be taken out of the archive.',
        ]}
        may={mayArchive}
        variant="default"
        run={() => archive({ flagId: flag.id }, `${flag.key} is in the archive.`, takeOut)}
      />
    </>
  );
}
