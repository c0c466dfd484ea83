import { Alert, Button, Center, Paper, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import { ChangePasswordDocument, SignInDocument } from '#documents';
import { Mark } from '../app/icons.js';
import { messageOf } from '../data/failures.js';
import { useChange } from '../data/use-document.js';

/** E-mail and password; whoever was given a password by somebody else chooses another before anything else. */
export function SignInPage() {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [mustChange, setMustChange] = useState(false);
  const [fault, setFault] = useState('');
  const [signIn, signingIn] = useChange(SignInDocument, { quiet: true });
  const enter = useEnter();
  useEffect(() => {
    document.title = 'Sign in · Quarterdeck';
  }, []);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data, error } = await signIn({ input: { email, password } });
    setFault(error ? messageOf(error) : '');
    if (data?.signInWithCookie?.passwordChangeRequired) setMustChange(true);
    else if (data?.signInWithCookie) enter();
  };
  return (
    <Center component="main" id="page" mih="100dvh" p="md">
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
          {fault && (
            <Alert color="red" role="alert" p="xs">
              {fault}
            </Alert>
          )}
          {mustChange ? (
            <NewPassword current={password} done={enter} />
          ) : (
            <form onSubmit={submit}>
              <Stack gap="sm">
                <TextInput
                  size="sm"
                  label="E-mail"
                  type="email"
                  autoComplete="username"
                  required
                  value={email}
                  onChange={(e) => setEmail(e.currentTarget.value)}
                />
                <PasswordInput
                  label="Password"
                  autoComplete="current-password"
                  required
                  value={password}
                  onChange={(e) => setPassword(e.currentTarget.value)}
                />
                <Button type="submit" size="sm" loading={signingIn}>
                  Sign in
                </Button>
              </Stack>
            </form>
          )}
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

function NewPassword({ current, done }: { current: string; done: () => void }) {
  const [password, setPassword] = useState('');
  const [fault, setFault] = useState('');
  const [change, changing] = useChange(ChangePasswordDocument, { quiet: true });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { error } = await change({ input: { currentPassword: current, newPassword: password } });
    setFault(error ? messageOf(error) : '');
    if (!error) done();
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Text size="sm">Somebody else chose your password. Choose one that only you know.</Text>
        <PasswordInput
          label="New password"
          description="12 to 200 characters"
          autoComplete="new-password"
          required
          minLength={12}
          value={password}
          onChange={(e) => setPassword(e.currentTarget.value)}
          error={fault}
        />
        <Button type="submit" size="sm" loading={changing}>
          Change it and go on
        </Button>
      </Stack>
    </form>
  );
}
