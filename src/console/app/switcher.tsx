import { Box, Group, Select, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { useScope, useSwitch } from '../data/scope.js';
import { ChoiceSegments } from '../parts/fields/choices.js';
import { Mark } from '../parts/icons.js';
import { NewProject, useNewProject } from './new-project.js';
import { useProjects } from './use-projects.js';

const NEW = 'new';
const OTHERS = 'others';

/** Switches project and environment. Live is coloured, here and along the top of every page. */
export function Switcher() {
  const { projectId, projectName, environment } = useScope();
  const [typed, setTyped] = useState('');
  const { projects, others } = useProjects(typed);
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
          ...projects.map(({ id, name }) => ({ value: id, label: name })),
          ...(others > 0 ? [{ value: OTHERS, label: `${others} more: type part of a name`, disabled: true }] : []),
          ...(creation.may ? [{ value: NEW, label: 'New project…' }] : []),
        ]}
        value={projectId}
        onChange={(id) => {
          if (id === NEW) creation.open();
          else if (id) switchTo(id, environment);
        }}
        searchable={projects.length > 8}
        onSearchChange={setTyped}
        nothingFoundMessage="No matching projects."
        w={{ base: 110, sm: 200 }}
        comboboxProps={{ width: 240, position: 'bottom-start' }}
      />
      <ChoiceSegments
        aria-label="Environment"
        className="environment"
        choices={{ live: 'Live', test: 'Test' }}
        value={environment}
        onChange={(to) => switchTo(projectId, to)}
      />
      <VisuallyHidden role="status">
        <bdi>{projectName}</bdi>, {environment}
      </VisuallyHidden>
      {creation.isOpen && <NewProject onClose={creation.close} />}
    </Group>
  );
}
