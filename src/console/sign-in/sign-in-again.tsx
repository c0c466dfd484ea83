import { Anchor, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { OrganizationOfSessionDocument, type OrganizationOfSessionQuery } from '#documents';
import { optionsWith } from '../data/client.js';
import { ANY_SESSION, resumeSession, useSessionOver } from '../data/session.js';
import { Dialog } from '../parts/dialog.js';
import { Waiting } from '../parts/states.js';

const Form = lazy(async () => ({ default: (await import('./sign-in-form.js')).SignInForm }));

interface SignInAgainProps {
  email: string;
  organization: { id: string; name: string };
}

/**
 * Covers the page when its session has ended, also because another tab switched to another organization. After signing
 * in, the user continues with everything on screen, including unsaved input.
 */
export function SignInAgain({ email, organization }: SignInAgainProps) {
  const isOver = useSessionOver();
  const other = useOtherOrganization(isOver);
  if (!isOver) return null;
  return (
    <Dialog
      title={other ? 'You switched organizations' : 'Your session has ended'}
      isFirm
      withCloseButton={false}
      size="sm"
      onClose={() => undefined}
    >
      <Stack gap="sm">
        {other && (
          <Text size="sm">
            In another tab, you're now in <bdi>{other}</bdi>. This tab shows <bdi>{organization.name}</bdi>.
          </Text>
        )}
        <Text size="sm">Sign in again to continue where you left off. What you typed is still here.</Text>
        <Suspense fallback={<Waiting />}>
          <Form of={email} organizationId={organization.id} onEnter={resumeSession} />
        </Suspense>
        {other && (
          <Anchor size="xs" href="/">
            Continue in <bdi>{other}</bdi> and leave this page
          </Anchor>
        )}
        <Anchor size="xs" href="/sign-in">
          Sign in as someone else and leave this page
        </Anchor>
      </Stack>
    </Dialog>
  );
}

/** The name of the organization that the browser's session is for now, if it has one although the tab's has ended. */
function useOtherOrganization(isOver: boolean): string | undefined {
  const [name, setName] = useState<string>();
  useEffect(() => {
    setName(undefined);
    if (!isOver) return undefined;
    const gone = new AbortController();
    // Not through the client, whose cache is about the organization of the tab.
    fetch('/graphql', {
      ...optionsWith({ 'content-type': 'application/json', ...ANY_SESSION }),
      method: 'POST',
      body: JSON.stringify({ query: OrganizationOfSessionDocument.toString() }),
      signal: gone.signal,
    })
      .then((response) => response.json())
      .then(({ data }: { data?: OrganizationOfSessionQuery | null }) => setName(data?.viewer?.organization.name))
      .catch(() => undefined);
    return () => gone.abort();
  }, [isOver]);
  return name;
}
