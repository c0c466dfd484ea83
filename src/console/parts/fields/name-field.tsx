import { TextInput } from '@mantine/core';
import { editing } from './editing.js';

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  error: string | undefined;
}

/** The name of an object, usually the first field of its form. */
export function NameField({ value, onChange, error }: NameFieldProps) {
  return <TextInput label="Name" data-autofocus required {...editing(value, onChange)} error={error} />;
}
