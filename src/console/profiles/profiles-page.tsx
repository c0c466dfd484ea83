import { Group, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import { useClient } from 'urql';
import { ProfileDownloadDocument, ProfilesDocument } from '#documents';
import { CrashTabs } from '../crashes/crash-tabs.js';
import { messageOf } from '../data/failures.js';
import { notifyFailure } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { usePages } from '../data/use-pages.js';
import { Page, Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';
import { sizeInWords } from '../parts/short-numbers.js';
import { When } from '../parts/when.js';
import { FlameGraph } from './flame-graph.js';
import { NotDrawn, type ProfileNode, treeOf } from './profile-tree.js';

/** Profiles that apps sent, newest first, drawn as flame graphs if their format is supported. */
export function ProfilesPage() {
  const { projectId, environment } = useScope();
  const client = useClient();
  const [drawn, setDrawn] = useState<{ id: string; tree: ProfileNode | null; fault: string } | null>(null);
  /** The latest requested profile; earlier requests may still be loading. */
  const asked = useRef('');
  const pages = usePages(ProfilesDocument, { projectId, environment }, ({ crashProfiles }) => crashProfiles);
  const linkOf = async (id: string): Promise<string> => {
    const { data, error } = await client.query(
      ProfileDownloadDocument.toString(),
      { id },
      { requestPolicy: 'network-only' },
    );
    const link = data?.crashProfile?.downloadUrl;
    if (!link) throw new Error(error ? messageOf(error) : 'This profile is no longer available.');
    return link;
  };
  const download = async (id: string) => {
    try {
      window.location.assign(await linkOf(id));
    } catch (error) {
      notifyFailure((error as Error).message);
    }
  };
  const treeAt = async (id: string) => {
    try {
      const answer = await fetch(await linkOf(id));
      return { id, tree: treeOf(await answer.json()), fault: '' };
    } catch (error) {
      const fault =
        error instanceof NotDrawn ? error.message : "This profile can't be displayed here. Download it instead.";
      return { id, tree: null, fault };
    }
  };
  const draw = async (id: string) => {
    asked.current = id;
    const next = await treeAt(id);
    if (asked.current === id) setDrawn(next);
  };
  return (
    <Page title="Crashes" section="Profiles">
      <CrashTabs here="profiles" />
      {drawn && (
        <Panel title="Flame graph" aside={<span className="soft mono">{drawn.id}</span>}>
          {drawn.tree ? <FlameGraph key={drawn.id} root={drawn.tree} /> : <Text size="sm">{drawn.fault}</Text>}
        </Panel>
      )}
      <Panel title="Profiles">
        <NoRows pages={pages}>
          No profiles yet. Apps send them to <code>/api/catch/profiles</code>. V8 and speedscope profiles can be viewed
          here.
        </NoRows>
        {pages.rows.map(({ id, sizeBytes, receivedAt, viewerCan }) => {
          const may = viewerCan.includes('catch_profile_download');
          return (
            <div key={id} className="entry">
              <Text size="sm">
                <When at={receivedAt} /> <span className="soft">{sizeInWords(Number(sizeBytes))}</span>
              </Text>
              <Group gap={4}>
                <Permitted may={may} variant="default" size="compact-xs" onClick={() => void draw(id)}>
                  View
                </Permitted>
                <Permitted may={may} variant="subtle" size="compact-xs" onClick={() => void download(id)}>
                  Download
                </Permitted>
              </Group>
            </div>
          );
        })}
        <More pages={pages}>Load older profiles</More>
      </Panel>
    </Page>
  );
}
