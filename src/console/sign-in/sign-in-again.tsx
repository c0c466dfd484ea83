import { Anchor, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { resumeSession, useSessionOver } from '../data/session.js';
import { Dialog } from '../parts/dialog.js';
import { Waiting } from '../parts/states.js';

const Form = lazy(async () => ({ default: (await import('./sign-in-form.js')).SignInForm }));

/** Covers the page when the session has ended. After signing in, the user continues with everything on screen, including unsaved input. */
export function SignInAgain({ email, organizationId }: { email: string; organizationId: string }) {
  const isOver = useSessionOver();
  if (!isOver) return null;
  return (
    <Dialog title="Your session has ended" isFirm withCloseButton={false} size="sm" onClose={() => undefined}>
      <Stack gap="sm">
        <Text size="sm">Sign in again to continue where you left off. What you typed is still here.</Text>
        <Suspense fallback={<Waiting />}>
          <Form of={email} organizationId={organizationId} onEnter={resumeSession} />
        </Suspense>
        <Anchor size="xs" href="/sign-in">
          Sign in as someone else and leave this page
        </Anchor>
      </Stack>
    </Dialog>
  );
}
