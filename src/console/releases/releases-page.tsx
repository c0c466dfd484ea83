import { Badge, Group, Text } from '@mantine/core';
import { useState } from 'react';
import {
  CrashFreeReleasesDocument,
  type CrashFreeReleasesQuery,
  DeleteReleaseDocument,
  PromoteReleaseDocument,
  ReleasesDocument,
} from '#documents';
import { isolated } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { Confirmed } from '../parts/confirmed.js';
import { EditDelete } from '../parts/edit-delete.js';
import { Page, Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';
import { counted, percentCut } from '../parts/short-numbers.js';
import { Muted } from '../parts/text.js';
import { When } from '../parts/when.js';
import { Changelog } from './changelog.js';
import { type Release, ReleaseForm } from './release-form.js';

/** Releases, which one is current, their health, and the changelog. */
export function ReleasesPage() {
  const { projectId, environment } = useScope();
  const pages = usePages(ReleasesDocument, { projectId, environment }, ({ releases }) => releases);
  const [editing, setEditing] = useState<Release | 'new' | null>(null);
  const may = useMay('release_manage');
  const { data: health } = useDocument(CrashFreeReleasesDocument, { projectId, environment });
  const healthOf = (version: string) => health?.crashFreeSessions?.releases.find(({ release }) => release === version);
  const maySeeChangelog = useMay('changelog_view');
  return (
    <Page title="Releases">
      <Panel
        title={`Releases in ${environment}`}
        aside={
          <Permitted may={may} variant="default" onClick={() => setEditing('new')}>
            New release
          </Permitted>
        }
      >
        <NoRows pages={pages}>
          No releases yet. CI creates them with a deploy token. A release shows its symbols and crashes.
        </NoRows>
        {pages.rows.map((release) => (
          <ReleaseRow
            key={release.id}
            release={release}
            out={pages.rows.find(({ current }) => current)}
            health={healthOf(release.version)}
            onEdit={() => setEditing(release)}
          />
        ))}
        <More pages={pages}>Load older releases</More>
      </Panel>
      {maySeeChangelog && <Changelog />}
      {editing && <ReleaseForm release={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />}
    </Page>
  );
}

type Health = NonNullable<CrashFreeReleasesQuery['crashFreeSessions']>['releases'][number];

interface ReleaseRowProps {
  release: Release;
  /** The current release, if it is in the loaded list. */
  out: Release | undefined;
  health: Health | undefined;
  onEdit: () => void;
}

function ReleaseRow({ release, out, health, onEdit }: ReleaseRowProps) {
  const { environment } = useScope();
  const [promote] = useChange(PromoteReleaseDocument, { quiet: true });
  const [promoteAgain] = useChange(PromoteReleaseDocument);
  const [remove] = useChange(DeleteReleaseDocument, { quiet: true });
  const { id, version, commitSha, notes, current, promotedAt, createdAt, crashEvents, symbols, viewerCan } = release;
  const may = viewerCan.includes('release_manage');
  const crashes = crashEvents?.totalCount ?? 0;
  return (
    <div className="entry">
      <div>
        <Group gap={6}>
          <strong className="mono">{version}</strong>
          {current && <Badge color="teal">Current</Badge>}
          <Muted size="xs">
            <span className="mono">{commitSha?.slice(0, 10)}</span> {promotedAt ? 'promoted ' : 'created '}
            <When at={promotedAt ?? createdAt} />
          </Muted>
        </Group>
        {notes && (
          <Text size="sm" className="as-written">
            {notes}
          </Text>
        )}
        <Text size="xs" className={crashes > 0 ? 'bad' : 'soft'}>
          {crashEvents?.isEstimate ? 'over ' : ''}
          {counted(crashes, 'crash', 'crashes')}, {counted(symbols?.totalCount ?? 0, 'symbol file')}
        </Text>
        {health && health.crashFree !== null && (
          <Text size="xs" className="soft">
            {percentCut(health.crashFree)} of {counted(health.sessions, 'session')} in 30 days were crash-free
          </Text>
        )}
      </div>
      <Group gap={4}>
        {!current && (
          <Confirmed
            may={may}
            isMild
            variant="default"
            size="compact-xs"
            action="Promote"
            aria-label={`Promote ${isolated(version)}`}
            what={`${isolated(version)} in ${environment}`}
            goesAlong={[
              out
                ? `It replaces ${isolated(out.version)} as the current release.`
                : 'It becomes the first current release.',
              "Webhooks are notified immediately. This doesn't change what apps run.",
            ]}
            run={() =>
              promote(
                { id },
                `${isolated(version)} is now the current release.`,
                out && (() => promoteAgain({ id: out.id }, `${isolated(out.version)} is the current release again.`)),
              )
            }
          />
        )}
        <EditDelete
          may={may}
          what={isolated(version)}
          goesAlong={["This also deletes its symbol files. Later crashes of this release won't be symbolicated."]}
          remove={() => remove({ id }, `${isolated(version)} deleted.`)}
          onEdit={onEdit}
        />
      </Group>
    </div>
  );
}
