import { Box, Group, SegmentedControl, Select, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type Environment, FoundProjectsDocument, ShellDocument } from '#documents';
import { useScope, useSwitch } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { Mark } from '../parts/icons.js';
import { NewProject, useNewProject } from './new-project.js';

const NEW = 'new';

/** Which project and which environment; live is coloured, here and along the top of every page. */
export function Switcher() {
  const { projectId, projectName, environment } = useScope();
  const projects = useProjects();
  const creation = useNewProject();
  const switchTo = useSwitch();
  return (
    <Group gap="xs" wrap="nowrap" flex={1} miw={0}>
      <Box visibleFrom="sm">
        <div className="brand">
          <Mark />
          Quarterdeck
        </div>
      </Box>
      <Select
        aria-label="Project"
        data={[
          ...projects.known.map(({ id, name }) => ({ value: id, label: name })),
          ...(creation.may ? [{ value: NEW, label: 'New project…' }] : []),
        ]}
        value={projectId}
        onChange={(id) => {
          if (id === NEW) creation.open();
          else if (id) switchTo(id, environment);
        }}
        searchable={projects.known.length > 8}
        onSearchChange={projects.search}
        nothingFoundMessage="No project has this in its name."
        w={{ base: 110, sm: 200 }}
        comboboxProps={{ width: 240, position: 'bottom-start' }}
      />
      <SegmentedControl
        aria-label="Environment"
        className="environment"
        data={[
          { value: 'live', label: 'Live' },
          { value: 'test', label: 'Test' },
        ]}
        value={environment}
        onChange={(to) => switchTo(projectId, to as Environment)}
      />
      <VisuallyHidden role="status">
        <bdi>{projectName}</bdi>, {environment}
      </VisuallyHidden>
      {creation.isOpen && <NewProject onClose={creation.close} />}
    </Group>
  );
}

interface Project {
  id: string;
  name: string;
}

/** The project in view and the first hundred; of more than these, those that have what is typed in their names. */
function useProjects(): { known: Project[]; search: (typed: string) => void } {
  const { projectId, projectName } = useScope();
  const [typed, search] = useState('');
  const [text] = useDebouncedValue(typed.trim(), 150);
  const { data } = useDocument(ShellDocument, {}, { requestPolicy: 'cache-first' });
  const first = data?.projects;
  const hasMore = first ? first.totalCount > first.nodes.length : false;
  const { data: found } = useDocument(
    FoundProjectsDocument,
    { search: text },
    { pause: !hasMore || text === '' || text === projectName, standsIn: true },
  );
  const here = { id: projectId, name: projectName };
  const all = [...(first?.nodes ?? []), ...(found?.projects?.nodes ?? []), here];
  return { known: [...new Map(all.map((project) => [project.id, project])).values()], search };
}
