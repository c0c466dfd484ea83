import { PasswordInput } from '@mantine/core';
import type { Ref } from 'react';
import { typing } from '../parts/fields/typing.js';

interface NewPasswordInputProps {
  value: string;
  error: string | undefined;
  ref?: Ref<HTMLInputElement>;
  onChange: (password: string) => void;
}

export function NewPasswordInput({ value, onChange, ...rest }: NewPasswordInputProps) {
  return (
    <PasswordInput
      label="New password"
      description="12 to 200 characters"
      autoComplete="new-password"
      required
      minLength={12}
      {...typing(value, onChange)}
      {...rest}
    />
  );
}
