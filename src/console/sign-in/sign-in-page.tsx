import { Center, Paper, Stack, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { leaving, stayIn } from '../data/session.js';
import { Mark } from '../parts/icons.js';
import { Waiting } from '../parts/states.js';
import { Muted } from '../parts/text.js';
import { SignInForm } from './sign-in-form.js';

export function SignInPage() {
  const enter = useEnter();
  const isLeaving = leaving.use();
  useEffect(() => {
    document.title = 'Sign in · Quarterdeck';
    stayIn(null);
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
            <Muted>Flags, config, crashes, surveys and events for your products.</Muted>
          </div>
          {isLeaving ? <Waiting /> : <SignInForm onEnter={enter} />}
          <Muted size="xs">
            Forgot your password? Ask an owner or admin of your organization to reset it under Settings, Members, or ask
            whoever runs the server to use <code>npm run reset-password</code>.
          </Muted>
          <Muted size="xs">
            First time here? The owner's password is in <code>.data/first-run.json</code>.
          </Muted>
        </Stack>
      </Paper>
    </Center>
  );
}

/** Continues to the page the user wanted. */
function useEnter(): () => void {
  const navigate = useNavigate();
  const { next } = useSearch({ strict: false }) as { next?: string };
  return () => void navigate({ href: next ?? '/', replace: true });
}
