import { Tabs } from '@mantine/core';
import { useMay } from '../app/scope.js';
import { useSearchState } from '../data/use-search-state.js';
import { Page } from '../parts/page.js';
import { Keys } from './keys.js';
import { Members } from './members.js';
import { ProjectForm } from './project-form.js';
import { Tokens } from './tokens.js';

/** The project's name and doors, its keys, the people of the organization and their tokens. */
export function SettingsPage() {
  const [search, change] = useSearchState();
  const maySeeKeys = useMay('key_view');
  return (
    <Page title="Settings">
      <Tabs value={search.tab ?? 'project'} onChange={(tab) => change({ tab: tab === 'project' ? null : tab })}>
        <Tabs.List mb="md">
          <Tabs.Tab value="project">Project</Tabs.Tab>
          {maySeeKeys && <Tabs.Tab value="keys">Keys</Tabs.Tab>}
          <Tabs.Tab value="members">Members</Tabs.Tab>
          <Tabs.Tab value="tokens">Tokens</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="project">
          <ProjectForm />
        </Tabs.Panel>
        <Tabs.Panel value="keys">
          <Keys />
        </Tabs.Panel>
        <Tabs.Panel value="members">
          <Members />
        </Tabs.Panel>
        <Tabs.Panel value="tokens">
          <Tokens />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
