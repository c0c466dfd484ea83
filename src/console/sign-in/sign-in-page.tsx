import { Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { Mark } from '../parts/icons.js';
import { SignInForm } from './sign-in-form.js';

export function SignInPage() {
  const enter = useEnter();
  useEffect(() => {
    document.title = 'Sign in · Quarterdeck';
  }, []);
  return (
    <Center component="main" id="page" tabIndex={-1} className="page" mih="100dvh" p="md">
      <Paper withBorder p="xl" w="100%" maw={380}>
        <Stack gap="md">
          <div>
            <div className="brand">
              <Mark />
              <Title order={1}>Quarterdeck</Title>
            </div>
            <Text size="sm" c="dimmed">
              Flags, config, crashes, surveys and events of your products.
            </Text>
          </div>
          <SignInForm onEnter={enter} />
          <Text size="xs" c="dimmed">
            Forgotten your password? An owner or admin of your organization gives you another under Settings, Members;
            whoever runs the server does so with <code>npm run reset-password</code>.
          </Text>
          <Text size="xs" c="dimmed">
            First start? The owner's password is in <code>.data/first-run.json</code>.
          </Text>
        </Stack>
      </Paper>
    </Center>
  );
}

/** On to where one wanted to go. */
function useEnter(): () => void {
  const navigate = useNavigate();
  const { next } = useSearch({ strict: false }) as { next?: string };
  return () => void navigate({ href: next ?? '/', replace: true });
}
