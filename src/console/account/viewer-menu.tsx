import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useScope } from '../data/scope.js';
import { useOpened } from '../data/use-opened.js';
import { capitalized } from '../parts/text.js';
import { exactTimes, showExactTimes } from '../parts/when.js';
import { useLeave } from './use-leave.js';

const ChangePassword = lazy(async () => ({ default: (await import('./change-password.js')).ChangePassword }));
const Organizations = lazy(async () => ({ default: (await import('./organizations.js')).Organizations }));

const SCHEMES = { light: 'Light', dark: 'Dark', auto: 'System' } as const;

/** Who is signed in, how the console looks, and sign-out. */
export function ViewerMenu() {
  const { organizationRole, email, organization } = useScope();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const isExact = exactTimes.use();
  const [changesPassword, openPassword, closePassword] = useOpened('changePassword', true);
  const [seesOrganizations, openOrganizations, closeOrganizations] = useOpened('organizations', true);
  const leave = useLeave();
  return (
    <>
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
            <bdi>{organization.name}</bdi>, {capitalized(organizationRole)}
          </Menu.Label>
          <Menu.Item onClick={openOrganizations}>Organizations…</Menu.Item>
          <Menu.Item onClick={openPassword}>Change password…</Menu.Item>
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
            Exact times (UTC)
          </Menu.CheckboxItem>
          <Menu.Divider />
          <Menu.Item onClick={leave}>Sign out</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {changesPassword && <ChangePassword onClose={closePassword} />}
        {seesOrganizations && <Organizations onClose={closeOrganizations} />}
      </Suspense>
    </>
  );
}
