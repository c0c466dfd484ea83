import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { ShellDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { exactTimes, showExactTimes } from '../parts/exact-times.js';
import { useLeave } from './use-leave.js';

const SCHEMES = { light: 'Light', dark: 'Dark', auto: 'As the system' } as const;

/** Who is signed in, how the console looks, and the way out. */
export function ViewerMenu() {
  const { role, email } = useScope();
  const { data } = useDocument(ShellDocument, {}, { requestPolicy: 'cache-first' });
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isExact = exactTimes.use();
  const leave = useLeave();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="light" radius="xl" aria-label="Account and appearance">
          <Text size="xs" fw={700}>
            {email.slice(0, 1).toUpperCase() || '·'}
          </Text>
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {email}
          <br />
          {data?.viewer?.organization.name}, {role}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        <Menu.RadioGroup value={colorScheme} onChange={(next) => setColorScheme(next as keyof typeof SCHEMES)}>
          {Object.entries(SCHEMES).map(([scheme, label]) => (
            <Menu.RadioItem key={scheme} value={scheme}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.CheckboxItem checked={isExact} onChange={showExactTimes}>
          Exact times, in UTC
        </Menu.CheckboxItem>
        <Menu.Divider />
        <Menu.Item onClick={leave}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
