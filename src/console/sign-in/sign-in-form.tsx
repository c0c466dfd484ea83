import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { ChangePasswordDocument, SignInDocument } from '#documents';
import { optionsWith } from '../data/client.js';
import { messageOf } from '../data/failures.js';
import { ANY_SESSION } from '../data/session.js';
import { useChange } from '../data/use-document.js';
import { typing } from '../parts/fields/typing.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { NewPasswordInput } from './new-password-input.js';

/** Signing in ends the session that the browser has, even if it is for another organization than the page. */
const REPLACING = { quiet: true, context: { fetchOptions: optionsWith(ANY_SESSION) } };

interface SignInFormProps {
  /** The user's email, if fixed. */
  of?: string;
  /** The organization to sign in to; any that the password opens if absent. */
  organizationId?: string;
  onEnter: () => void;
}

/** Email and password. Anyone whose password was set by someone else must choose a new one first. */
export function SignInForm({ of, organizationId, onEnter }: SignInFormProps) {
  const first = useFirstField();
  const [email, setEmail] = useState(of ?? '');
  const [password, setPassword] = useState('');
  const [mustChange, setMustChange] = useState(false);
  const [fault, setFault] = useState('');
  const [signIn, signingIn] = useChange(SignInDocument, REPLACING);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { data, error } = await signIn({ input: { email, password, organizationId } });
    setFault(error ? messageOf(error) : '');
    if (data?.signInWithCookie?.passwordChangeRequired) setMustChange(true);
    else if (data?.signInWithCookie) onEnter();
  };
  if (mustChange) return <NewPassword current={password} done={onEnter} />;
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {fault && (
          <Alert color="red" role="alert" p="xs">
            {fault}
          </Alert>
        )}
        <TextInput
          size="sm"
          label="Email"
          type="email"
          autoComplete="username"
          required
          ref={of === undefined ? first : undefined}
          readOnly={of !== undefined}
          {...typing(email, setEmail)}
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          ref={of === undefined ? undefined : first}
          required
          {...typing(password, setPassword)}
        />
        <Button type="submit" size="sm" loading={signingIn} renderRoot={keepsFocus}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
}

function NewPassword({ current, done }: { current: string; done: () => void }) {
  const first = useFirstField();
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
        <Text size="sm">Someone else set your password. Choose one that only you know.</Text>
        <NewPasswordInput ref={first} value={password} onChange={setPassword} error={fault} />
        <Button type="submit" size="sm" loading={changing} renderRoot={keepsFocus}>
          Change password and continue
        </Button>
      </Stack>
    </form>
  );
}

/** Focuses the form's first field, so users can type right away, even if the script loads after the surrounding dialog. */
function useFirstField(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
}
