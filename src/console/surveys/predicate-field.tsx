import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface PredicateFieldProps {
  predicate: string;
  disabled: boolean;
  onChange: (predicate: string) => void;
  /** Whether the form has no fields for it. */
  isOwn: boolean;
  /** The fields of the form. */
  children: ReactNode;
}

/** A predicate by the fields of a form, or as text; while it is typed it stays a text, though there are fields for what is there so far. */
export function PredicateField({ predicate, disabled, onChange, isOwn, children }: PredicateFieldProps) {
  const [isTyped, setTyped] = useState(false);
  if (!isOwn && !isTyped) return children;
  return (
    <TextInput
      aria-label="Predicate"
      className="mono"
      value={predicate}
      disabled={disabled}
      onChange={(e) => onChange(e.currentTarget.value)}
      onFocus={() => setTyped(true)}
      onBlur={() => setTyped(false)}
      flex={1}
      miw={200}
    />
  );
}
