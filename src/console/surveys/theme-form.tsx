import { Button, ColorInput, Group, Stack, TextInput } from '@mantine/core';
import { ChoiceSegments } from '../parts/fields/choices.js';
import { typing } from '../parts/fields/typing.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import type { ThemeDraft } from './survey-draft.js';

const COLOURS = {
  primaryColor: 'Buttons',
  backgroundColor: 'Background',
  foregroundColor: 'Text',
} as const;
const NONE: ThemeDraft = {
  primaryColor: null,
  backgroundColor: null,
  foregroundColor: null,
  fontFamily: null,
  logoUrl: null,
  darkMode: null,
};

/** The survey's appearance; empty fields use the library's defaults. */
export function ThemeForm({
  theme,
  disabled,
  onChange,
}: {
  theme: ThemeDraft | null;
  disabled: boolean;
  onChange: (theme: ThemeDraft | null) => void;
}) {
  const shown = theme ?? NONE;
  const set = (part: Partial<ThemeDraft>) => {
    const next = { ...shown, ...part };
    onChange(Object.values(next).every((value) => value === null) ? null : next);
  };
  return (
    <Stack gap="xs">
      <Group gap="xs" grow>
        {Object.entries(COLOURS).map(([name, label]) => (
          <ColorInput
            key={name}
            label={label}
            size="xs"
            placeholder="Default"
            value={shown[name as keyof typeof COLOURS] ?? ''}
            disabled={disabled}
            onChange={(next) => set({ [name]: next || null })}
            withEyeDropper={false}
          />
        ))}
      </Group>
      <Group gap="xs" grow align="flex-end">
        <TextInput
          label="Font"
          placeholder="Georgia, serif"
          {...typing(shown.fontFamily ?? '', (text) => set({ fontFamily: text || null }))}
          disabled={disabled}
        />
        <TextInput
          label="Logo"
          placeholder="https://"
          {...typing(shown.logoUrl ?? '', (text) => set({ logoUrl: text || null }))}
          disabled={disabled}
        />
      </Group>
      <Group justify="space-between">
        <ChoiceSegments
          aria-label="Colour scheme"
          choices={{ null: 'System', false: 'Light', true: 'Dark' }}
          value={`${shown.darkMode}`}
          disabled={disabled}
          onChange={(next) => set({ darkMode: JSON.parse(next) as boolean | null })}
        />
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={disabled || !theme}
          renderRoot={keepsFocus}
          onClick={() => onChange(null)}
        >
          Reset to defaults
        </Button>
      </Group>
    </Stack>
  );
}
