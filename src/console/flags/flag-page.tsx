import { Badge, Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import {
  ArchiveFlagDocument,
  FlagByKeyDocument,
  type FlagWholeFragment,
  ResumeFlagDocument,
  UnarchiveFlagDocument,
} from '#documents';
import { useParam, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { useOpened } from '../data/use-opened.js';
import { Evidence } from '../editor/evidence.js';
import { Confirmed } from '../parts/confirmed.js';
import { Page, Panel } from '../parts/page.js';
import { PageTabs, useSavedFirst } from '../parts/page-tabs.js';
import { Permitted } from '../parts/permitted.js';
import { Absent } from '../parts/states.js';
import { haltedBy } from '../parts/text.js';
import { When } from '../parts/when.js';
import { AudienceSize } from '../rules/audience-size.js';
import { flagDraftOf } from './flag-draft.js';
import { FlagEditor } from './flag-editor.js';
import { FlagHistory } from './flag-history.js';
import { FLAG_KINDS, FlagState } from './flag-state.js';
import { FlagUsage } from './flag-usage.js';
import { HaltDialog } from './halt-dialog.js';
import { TryFlag } from './try-flag.js';

/** A flag: targeting, a trial as a person, history and halt. */
export function FlagPage() {
  const { projectId, environment } = useScope();
  const key = useParam('flagKey');
  const { data, error, fetching } = useDocument(FlagByKeyDocument, { projectId, environment, key });
  const flag = data?.flagByKey;
  if (!flag) return <Absent what="flag" error={error} isAsked={fetching} />;
  return <LoadedFlag key={flag.id} flag={flag} />;
}

function LoadedFlag({ flag }: { flag: FlagWholeFragment }) {
  const [isHalting, open, close] = useOpened('halt', !flag.haltedAt && flag.viewerCan.includes('switch_flag_halt'));
  return (
    <Page
      title={flag.key}
      above={{ name: 'Flags', path: 'flags' }}
      audited={{ objectType: 'flag', objectId: flag.id }}
      beside={
        <Group gap={6}>
          <FlagState flag={flag} />
          <Badge color="gray">{FLAG_KINDS[flag.kind]}</Badge>
          <Badge color="gray">v{flag.currentVersion}</Badge>
        </Group>
      }
      actions={<Actions flag={flag} onHalt={open} />}
    >
      {flag.haltedAt && (
        <div className="halted" role="status">
          <Text size="sm" fw={600}>
            Halted <When at={flag.haltedAt} />
            {haltedBy(flag.latest.nodes)}: everyone gets {flag.defaultVariant}
          </Text>
          <Text size="sm" className="as-written">
            {flag.haltReason}
          </Text>
          <Evidence url={flag.haltEvidenceUrl} />
        </div>
      )}
      <PageTabs
        tabs={[
          {
            value: 'targeting',
            name: 'Targeting',
            content: (
              <div className="two">
                <FlagEditor flag={flag} />
                <FlagUsage flag={flag} />
              </div>
            ),
          },
          {
            value: 'try',
            name: 'Try as a person',
            content: (
              <Panel title="Try as a person">
                <TryFlag flagId={flag.id} />
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

function Actions({ flag, onHalt }: { flag: FlagWholeFragment; onHalt: () => void }) {
  const [resume] = useChange(ResumeFlagDocument, { quiet: true });
  const [archive] = useChange(ArchiveFlagDocument, { quiet: true });
  const [unarchive, unarchiving] = useChange(UnarchiveFlagDocument);
  const may = (action: (typeof flag.viewerCan)[number]) => flag.viewerCan.includes(action);
  const mayArchive = may('switch_flag_archive');
  const mayResume = useSavedFirst(may('switch_flag_resume'));
  const takeOut = () => unarchive({ flagId: flag.id }, `${flag.key} unarchived.`);
  if (flag.isArchived)
    return (
      // A key of its own, so that it doesn't turn into the Halt button under the user's finger.
      <Permitted key="takeOut" may={mayArchive} variant="default" loading={unarchiving} onClick={takeOut}>
        Unarchive
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
              Halted <When at={flag.haltedAt} />: <bdi className="as-written">{flag.haltReason}</bdi>
            </Fragment>,
            <Fragment key="rules">
              {flag.rules.length === 0 ? (
                'It has no rules: everyone still gets '
              ) : (
                <>
                  {flag.rules.length === 1 ? 'Its rule applies' : `Its ${flag.rules.length} rules apply`} again
                  immediately. Everyone else gets{' '}
                </>
              )}
              <code>{flag.defaultVariant}</code>.{' '}
              <AudienceSize rules={flagDraftOf(flag).rules} salt={flag.key} covered="The rules cover" />
            </Fragment>,
            flag.neededBy.length > 0 ? `Flags that depend on it: ${flag.neededBy.join(', ')}.` : null,
          ].filter((line) => line !== null)}
          run={() => resume({ input: { flagId: flag.id } }, `${flag.key} resumed.`)}
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
            Everyone gets <code>{flag.defaultVariant}</code> immediately.
          </Fragment>,
          <Fragment key="told">
            Last evaluated: <When at={flag.lastEvaluatedAt} />
          </Fragment>,
          flag.neededBy.length > 0
            ? `Flags that depend on it: ${flag.neededBy.join(', ')}.`
            : 'No other flags depend on it.',
          'You keep its history and can unarchive it later.',
        ]}
        may={mayArchive}
        variant="default"
        run={() => archive({ flagId: flag.id }, `${flag.key} archived.`, takeOut)}
      />
    </>
  );
}
