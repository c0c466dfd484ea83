import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { typing } from '../parts/fields/typing.js';

interface PredicateFieldProps {
  predicate: string;
  fault: string | undefined;
  disabled: boolean;
  onChange: (predicate: string) => void;
  /** Whether the predicate is custom, so the form has no fields for it. */
  isOwn: boolean;
  /** The form's fields. */
  children: ReactNode;
}

/** Edits a predicate in form fields or as text. While it is typed as text it stays text, even once the fields could show it. */
export function PredicateField({ predicate, fault, disabled, onChange, isOwn, children }: PredicateFieldProps) {
  const [isTyped, setTyped] = useState(false);
  if (!isOwn && !isTyped) return children;
  return (
    <TextInput
      aria-label="Predicate"
      className="mono"
      {...typing(predicate, onChange)}
      error={fault}
      disabled={disabled}
      onFocus={() => setTyped(true)}
      onBlur={() => setTyped(false)}
      flex={1}
      miw={200}
    />
  );
}
