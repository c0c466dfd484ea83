import type { ReactNode } from 'react';

/** Renders the input for what a rule, or a share of its split, serves. */
export type ServesInput = (
  value: string,
  onChange: (value: string) => void,
  label: string,
  error: string | undefined,
) => ReactNode;
