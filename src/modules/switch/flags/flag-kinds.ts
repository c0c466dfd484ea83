import type { FlagVariant } from '../../../targeting/flags/flag-definition.js';

export interface FlagKind {
  readonly variants: (defaultValue: unknown) => readonly FlagVariant[];
  /** The value of a variant given as `given`; undefined if the kind has no such value. */
  readonly value: (given: unknown) => unknown;
  readonly valuesAre: string;
}

/** EVERY kind of flag (docs/rest.md, Flags). */
export const flagKinds = {
  boolean: {
    variants: () => [
      { key: 'on', value: true },
      { key: 'off', value: false },
    ],
    value: (given) => {
      if (given === 'true') return true;
      if (given === 'false') return false;
      return typeof given === 'boolean' ? given : undefined;
    },
    valuesAre: 'true or false',
  },
  variant: {
    variants: (defaultValue) => [{ key: 'default', value: defaultValue ?? null }],
    value: (given) => given,
    valuesAre: 'JSON values',
  },
} as const satisfies Record<string, FlagKind>;

export type FlagKindName = keyof typeof flagKinds;

export const FLAG_KIND_NAMES = Object.keys(flagKinds) as FlagKindName[];

/** The text of a variant's value in `default_value` (docs/rest.md, Flags): a string as is, any other value as JSON. */
export function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
