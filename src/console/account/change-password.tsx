import { PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { ChangePasswordDocument } from '#documents';
import { notify } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { typing } from '../parts/fields/typing.js';
import { FormDialog } from '../parts/form-dialog.js';
import { counted } from '../parts/short-numbers.js';
import { Muted } from '../parts/text.js';
import { NewPasswordInput } from '../sign-in/new-password-input.js';

export function ChangePassword({ onClose }: { onClose: () => void }) {
  const { organization } = useScope();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [change] = useChange(ChangePasswordDocument, { quiet: true });
  return (
    <FormDialog
      title="Change password"
      action="Change password"
      save={() => change({ input: { currentPassword: current, newPassword: next } })}
      onClose={onClose}
      onSaved={({ changePassword }) => {
        const tokens = changePassword?.remainingApiTokens ?? 0;
        notify(
          `Password changed. Your other sessions have been signed out.${tokens > 0 ? ` ${counted(tokens, 'API token')} of yours still work${tokens === 1 ? 's' : ''}: revoke any you don't recognize.` : ''}`,
        );
        onClose();
      }}
    >
      {(faultOf) => (
        <>
          <Muted>
            This changes your password for <bdi>{organization.name}</bdi> only. Your other sessions here are signed out.
          </Muted>
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            {...typing(current, setCurrent)}
            error={faultOf('currentPassword')}
            required
            data-autofocus
          />
          <NewPasswordInput value={next} onChange={setNext} error={faultOf('newPassword')} />
        </>
      )}
    </FormDialog>
  );
}
