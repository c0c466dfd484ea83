import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { CreateProjectDocument, ShellDocument } from '#documents';
import { scopePath } from '../data/scope.js';
import { useChange, useDocument } from '../data/use-document.js';
import { useOpened } from '../data/use-opened.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';

/** Creates a project and opens its first steps; `quiet` as in {@link useChange}. */
export function useCreateProject({ quiet = false } = {}) {
  const [create, isBusy] = useChange(CreateProjectDocument, { quiet });
  const navigate = useNavigate();
  const lead = (projectId: string) => navigate({ to: scopePath({ projectId, environment: 'test' }, 'start') });
  return { create: (name: string) => create({ input: { name } }), isBusy, lead };
}

/** Whether the new project form is open, and whether the viewer may create one. */
export function useNewProject() {
  const { data } = useDocument(ShellDocument, {}, { requestPolicy: 'cache-first' });
  const may = data?.viewer?.permissions.includes('project_create');
  const [isOpen, open, close] = useOpened('newProject', may);
  return { may: may ?? false, isOpen, open, close };
}

export function NewProject({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const { create, lead } = useCreateProject({ quiet: true });
  return (
    <FormDialog
      title="New project"
      action="Create project"
      main="name"
      save={() => create(name)}
      onClose={onClose}
      onSaved={({ createProject }) => createProject && void lead(createProject.id)}
    >
      {(faultOf) => (
        <TextInput
          label="Project name"
          description="A project holds one product's flags, config, surveys and crashes, with separate live and test environments."
          {...typing(name, setName)}
          error={faultOf('name')}
          required
          data-autofocus
        />
      )}
    </FormDialog>
  );
}
