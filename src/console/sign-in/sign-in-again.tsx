import { Anchor, Stack, Text } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { resumeSession, useSessionOver } from '../data/session.js';
import { Dialog } from '../parts/dialog.js';
import { Waiting } from '../parts/states.js';

const Form = lazy(async () => ({ default: (await import('./sign-in-form.js')).SignInForm }));

/** Over everything, once the session has ended: whoever signs in again goes on with what is on the screen, typed words and all. */
export function SignInAgain({ email, organizationId }: { email: string; organizationId: string }) {
  const isOver = useSessionOver();
  if (!isOver) return null;
  return (
    <Dialog title="Your session has ended" isFirm withCloseButton={false} size="sm" onClose={() => undefined}>
      <Stack gap="sm">
        <Text size="sm">Sign in again, and go on where you were: what you typed is still here.</Text>
        <Suspense fallback={<Waiting />}>
          <Form of={email} organizationId={organizationId} onEnter={resumeSession} />
        </Suspense>
        <Anchor size="xs" href="/sign-in">
          Sign in as somebody else, and leave this page
        </Anchor>
      </Stack>
    </Dialog>
  );
}
