import { Badge, Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import type { Pages } from '../data/use-pages.js';
import { Dialog } from '../parts/dialog.js';
import { typing } from '../parts/fields/typing.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { More } from '../parts/rows/more.js';
import { WaitingRows } from '../parts/states.js';
import { actorWords, capitalized, Muted } from '../parts/text.js';
import { When } from '../parts/when.js';
import { DiffView } from './diff-view.js';
import { Evidence } from './evidence.js';

export interface TimelineVersion {
  id: string;
  versionNumber: number;
  action: string;
  actorId: string;
  actorEmail: string;
  note: string | null;
  /** Of a halt. */
  evidenceUrl?: string | null;
  createdAt: string;
}

interface VersionTimelineProps<V extends TimelineVersion> {
  pages: Pages<V>;
  currentVersion: number;
  currentText: string;
  textOf: (version: V) => string;
  mayRestore: boolean;
  /** Restores the version; returns true on success. */
  restore: (version: V, note: string) => Promise<boolean>;
  /** What the server says restoring would change. */
  preview?: (version: V) => ReactNode;
}

/** Who changed what, when and why: one line per version, a comparison of any two, and a button to restore each. */
export function VersionTimeline<V extends TimelineVersion>(props: VersionTimelineProps<V>) {
  const { pages, currentVersion, textOf, mayRestore } = props;
  const [compared, setCompared] = useState<[string, string] | null>(null);
  const [restoring, setRestoring] = useState<V | null>(null);
  const comparison = useRef<HTMLDivElement>(null);
  const compare = (newerId: string, olderId: string) => {
    setCompared([newerId, olderId]);
    // It may be beyond the end of the screen, below or beside a long list.
    comparison.current?.scrollIntoView({ block: 'nearest' });
  };
  if (!pages.isKnown) return <WaitingRows error={pages.error} />;
  const { rows } = pages;
  const [newer, older] = compared
    ? [rows.find(({ id }) => id === compared[0]), rows.find(({ id }) => id === compared[1])]
    : [rows[0], rows[1]];
  const choices = rows.map(({ id, versionNumber }) => ({ value: id, label: `Version ${versionNumber}` }));
  return (
    <div className="two">
      <Panel title="Versions">
        <Stack gap={0} component="ol" className="timeline">
          {rows.map((version, at) => (
            <li key={version.id}>
              <Group justify="space-between" wrap="nowrap" align="flex-start">
                <div>
                  <Group gap={6}>
                    <Text size="sm" fw={600}>
                      v{version.versionNumber}
                    </Text>
                    <Badge color={version.action === 'halted' ? 'red' : 'gray'}>
                      {capitalized(version.action.replaceAll('_', ' '))}
                    </Badge>
                    {version.versionNumber === currentVersion && <Badge color="teal">Current</Badge>}
                  </Group>
                  <Muted size="xs">
                    {actorWords(version.actorId, version.actorEmail)}, <When at={version.createdAt} />
                  </Muted>
                  {version.note && (
                    <Text size="sm" className="as-written">
                      {version.note}
                    </Text>
                  )}
                  <Evidence url={version.evidenceUrl} />
                </div>
                <Group gap={4} wrap="nowrap">
                  {rows[at + 1] && (
                    <Button
                      variant="subtle"
                      size="compact-xs"
                      aria-label={`Changes in v${version.versionNumber}`}
                      onClick={() => compare(version.id, rows[at + 1]?.id ?? '')}
                    >
                      Changes
                    </Button>
                  )}
                  {version.versionNumber !== currentVersion && (
                    <Permitted
                      may={mayRestore}
                      variant="subtle"
                      size="compact-xs"
                      aria-label={`Restore v${version.versionNumber}`}
                      onClick={() => setRestoring(version)}
                    >
                      Restore
                    </Permitted>
                  )}
                </Group>
              </Group>
            </li>
          ))}
        </Stack>
        <More pages={pages}>Load older versions</More>
      </Panel>
      <div ref={comparison} className="comparison">
        <Panel title="Comparison">
          {newer && older ? (
            <Stack gap="sm">
              <Group gap="xs">
                <Select
                  aria-label="Older version"
                  data={choices}
                  value={older.id}
                  onChange={(id) => id && setCompared([newer.id, id])}
                  w={120}
                />
                <Text size="sm">to</Text>
                <Select
                  aria-label="Newer version"
                  data={choices}
                  value={newer.id}
                  onChange={(id) => id && setCompared([id, older.id])}
                  w={120}
                />
              </Group>
              <DiffView before={textOf(older)} after={textOf(newer)} same="The same rules and values." />
            </Stack>
          ) : (
            <Muted>There's only one version so far.</Muted>
          )}
        </Panel>
      </div>
      {restoring && <RestoreDialog {...props} version={restoring} onClose={() => setRestoring(null)} />}
    </div>
  );
}

function RestoreDialog<V extends TimelineVersion>({
  version,
  currentText,
  textOf,
  restore,
  preview,
  onClose,
}: VersionTimelineProps<V> & { version: V; onClose: () => void }) {
  const [note, setNote] = useState(`Restore version ${version.versionNumber}`);
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    const done = await restore(version, note);
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Dialog onClose={onClose} size="lg" title={`Restore version ${version.versionNumber}`}>
      <Stack gap="sm">
        <Text size="sm">This adds a new version and keeps the full history.</Text>
        {preview ? preview(version) : <DiffView before={currentText} after={textOf(version)} />}
        <TextInput label="Note for the history" {...typing(note, setNote)} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={run} loading={isBusy}>
            Restore version {version.versionNumber}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
