import { TextInput } from '@mantine/core';

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  error: string | undefined;
}

/** What something is called: the first field of the form that makes it. */
export function NameField({ value, onChange, error }: NameFieldProps) {
  return (
    <TextInput
      label="Name"
      data-autofocus
      required
      value={value}
      error={error}
      onChange={(e) => onChange(e.currentTarget.value)}
    />
  );
}
