import { MultiSelect, Stack, TagsInput, TextInput } from '@mantine/core';
import {
  ProjectSettingsDocument,
  type ProjectSettingsQuery,
  type SwitchableModule,
  UpdateProjectDocument,
} from '#documents';
import { useScope } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { SaveBar } from '../editor/save-bar.js';
import { useDraft } from '../editor/use-draft.js';
import { typing } from '../parts/fields/typing.js';
import { Panel } from '../parts/page.js';
import { WaitingRows } from '../parts/states.js';
import { WhoMay } from '../parts/who-may.js';
import { Usage } from './usage.js';

type Project = NonNullable<ProjectSettingsQuery['project']>;

/** Without `pulse`, which changes nothing. */
const MODULES: readonly SwitchableModule[] = ['analytics', 'catch', 'config', 'deploy', 'switch'];

export function ProjectForm() {
  const { projectId } = useScope();
  const { data, error } = useDocument(ProjectSettingsDocument, { projectId });
  return data?.project ? <LoadedForm project={data.project} /> : <WaitingRows error={error} />;
}

function LoadedForm({ project }: { project: Project }) {
  const [update] = useChange(UpdateProjectDocument, { quiet: true });
  const { name, authorizedOrigins, authorizedAddresses, switchedOffModules, usage } = project;
  const draft = useDraft({
    stored: { name, authorizedOrigins, authorizedAddresses, disabledModules: [...switchedOffModules] as string[] },
    version: Date.parse(project.updatedAt),
    input: (value) => value,
    save: (changed, expected) =>
      update({ input: { id: project.id, expectedUpdatedAt: new Date(expected).toISOString(), ...changed } }),
  });
  const { value, change, faultAt } = draft;
  const disabled = !project.viewerCan.includes('project_update');
  return (
    <>
      <WhoMay may={!disabled} weakest="admin" to="change the project" />
      <Panel title="Project">
        <Stack gap="sm">
          <TextInput
            label="Name"
            {...typing(value.name, (name) => change({ name }))}
            error={faultAt(value, 'name')}
            disabled={disabled}
            maw={360}
          />
          <TagsInput
            label="Allowed origins for keys used in a browser"
            description="https://app.example.com, https://*.example.com. Leave empty to allow any."
            value={value.authorizedOrigins}
            error={faultAt(value, 'authorizedOrigins')}
            disabled={disabled}
            onChange={(next) => change({ authorizedOrigins: next })}
          />
          <TagsInput
            label="Allowed IP addresses for keys"
            description="IP addresses or CIDR ranges. Leave empty to allow any."
            value={value.authorizedAddresses}
            error={faultAt(value, 'authorizedAddresses')}
            disabled={disabled}
            onChange={(next) => change({ authorizedAddresses: next })}
          />
          <MultiSelect
            label="Disabled modules"
            description="Clients get no cohorts (analytics), values (config), release (deploy) or flags (switch), report no crashes (catch), and cannot halt flags with a key (switch). What they send is stored all the same."
            data={[...new Set([...MODULES, ...switchedOffModules])]}
            value={value.disabledModules}
            disabled={disabled}
            onChange={(next) => change({ disabledModules: next })}
          />
        </Stack>
      </Panel>
      <Usage usage={usage} />
      <SaveBar draft={draft} takesNote={false} />
    </>
  );
}
