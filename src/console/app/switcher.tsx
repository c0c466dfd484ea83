import { Box, Group, SegmentedControl, Select, VisuallyHidden } from '@mantine/core';
import { type Environment, ShellDocument } from '#documents';
import { useScope, useSwitch } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { Mark } from '../parts/icons.js';

/** Which project and which environment; live is coloured, here and along the top of every page. */
export function Switcher() {
  const { projectId, projectName, environment } = useScope();
  const { data } = useDocument(ShellDocument, {}, { requestPolicy: 'cache-first' });
  const projects = data?.projects?.nodes ?? [{ id: projectId, name: projectName }];
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
        data={projects.map(({ id, name }) => ({ value: id, label: name }))}
        value={projectId}
        onChange={(id) => id && switchTo(id, environment)}
        searchable={projects.length > 8}
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
    </Group>
  );
}
