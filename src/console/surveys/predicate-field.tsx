import { TextInput } from '@mantine/core';

interface PredicateFieldProps {
  predicate: string;
  disabled: boolean;
  onChange: (predicate: string) => void;
}

/** A predicate that the form has no fields for. */
export function PredicateField({ predicate, disabled, onChange }: PredicateFieldProps) {
  return (
    <TextInput
      aria-label="Predicate"
      className="mono"
      value={predicate}
      disabled={disabled}
      onChange={(e) => onChange(e.currentTarget.value)}
      flex={1}
      miw={200}
    />
  );
}
