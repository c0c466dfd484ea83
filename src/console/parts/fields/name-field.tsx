import { TextInput } from '@mantine/core';
import { typing } from './typing.js';

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  error: string | undefined;
}

/** The name of an object, usually the first field of its form. */
export function NameField({ value, onChange, error }: NameFieldProps) {
  return <TextInput label="Name" data-autofocus required {...typing(value, onChange)} error={error} />;
}
