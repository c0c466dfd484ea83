import { PasswordInput } from '@mantine/core';
import type { Ref } from 'react';

interface NewPasswordInputProps {
  value: string;
  error: string | undefined;
  ref?: Ref<HTMLInputElement>;
  onChange: (password: string) => void;
}

/** The field for a new password. */
export function NewPasswordInput({ onChange, ...rest }: NewPasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      description="12 to 200 characters"
      autoComplete="new-password"
      required
      minLength={12}
      onChange={(e) => onChange(e.currentTarget.value)}
      {...rest}
    />
  );
}
