import { useMay } from '../data/scope.js';
import { Page } from '../parts/page.js';
import { PageTabs } from '../parts/page-tabs.js';
import { Keys } from './keys.js';
import { Members } from './members.js';
import { ProjectForm } from './project-form.js';
import { Tokens } from './tokens.js';

/** The project's settings and keys, the organization's members, and API tokens. */
export function SettingsPage() {
  const maySeeKeys = useMay('key_view');
  return (
    <Page title="Settings">
      <PageTabs
        tabs={[
          { value: 'project', name: 'Project', content: <ProjectForm /> },
          ...(maySeeKeys ? [{ value: 'keys', name: 'Keys', content: <Keys /> }] : []),
          { value: 'members', name: 'Members', content: <Members /> },
          { value: 'tokens', name: 'Tokens', content: <Tokens /> },
        ]}
      />
    </Page>
  );
}
