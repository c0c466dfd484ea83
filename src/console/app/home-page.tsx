import { Button, Center, Paper, Stack, Text, TextInput, Title } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { LastProjectDocument, ShellDocument } from '#documents';
import { scopePath } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { typing } from '../parts/fields/typing.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { Failed, Waiting } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { lastScope } from './last-scope.js';
import { useCreateProject } from './new-project.js';

/** Opens the last project viewed, or the first one; offers to create one if there is none. */
export function HomePage() {
  const [last] = useState(lastScope);
  const { data, error } = useDocument(ShellDocument, {});
  const viewed = useDocument(LastProjectDocument, { id: last?.projectId ?? '' }, { pause: last === null });
  if (error && !data?.projects) return <Failed error={error} />;
  if (!data?.projects || !data.viewer || viewed.fetching) return <Waiting />;
  const project = viewed.data?.projects?.nodes[0] ?? data.projects.nodes[0];
  if (!project) return <FirstProject mayCreate={data.viewer.permissions.includes('project_create')} />;
  const environment = project.id === last?.projectId ? last.environment : 'live';
  return <Navigate to={scopePath({ projectId: project.id, environment })} replace />;
}

function FirstProject({ mayCreate }: { mayCreate: boolean }) {
  const [name, setName] = useState('');
  const { create, isBusy, lead } = useCreateProject();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data } = await create(name);
    if (data?.createProject) await lead(data.createProject.id);
  };
  return (
    <Center component="main" id="page" tabIndex={-1} className="page" mih="100dvh" p="md">
      <Paper withBorder p="xl" maw={420} w="100%">
        <Stack component="form" {...({ onSubmit: submit } as object)}>
          <Title order={1}>No projects yet</Title>
          {mayCreate ? (
            <>
              <Muted>
                A project holds one product's flags, config, surveys and crashes, with separate live and test
                environments.
              </Muted>
              <TextInput label="Project name" {...typing(name, setName)} required />
              <Button type="submit" loading={isBusy} renderRoot={keepsFocus}>
                Create project
              </Button>
            </>
          ) : (
            <Text size="sm">Your role can't create projects. Ask an organization admin to create one.</Text>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}
