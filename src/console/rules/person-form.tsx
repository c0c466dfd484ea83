import { Button, Group, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { typing } from '../parts/fields/typing.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import { useCohorts } from './use-cohorts.js';

/** The person to decide for, as the `explain…` queries expect it. */
export interface PersonVariables {
  distinctId?: string;
  platform?: string;
  appVersion?: string;
  osVersion?: string;
  locale?: string;
  cohorts?: string[];
  properties?: unknown;
  context?: unknown;
}

const TEXTS = {
  distinctId: 'Distinct id',
  platform: 'Platform',
  appVersion: 'App version',
  osVersion: 'OS version',
  locale: 'Locale',
} as const;
const OBJECTS = { properties: 'Properties (JSON)', context: 'Context (JSON)' } as const;

type Texts = Partial<Record<keyof typeof TEXTS | keyof typeof OBJECTS, string>>;

interface PersonFormProps {
  busy: boolean;
  /** Null if what was entered describes nobody. */
  onAsk: (person: PersonVariables | null) => void;
  /** The fields no longer describe the person last asked about. */
  onEdit: () => void;
}

/** The person to try something as; empty fields are left out. */
export function PersonForm({ busy, onAsk, onEdit }: PersonFormProps) {
  const [texts, setTexts] = useState<Texts>({});
  const [chosen, setChosen] = useState<string[] | null>(null);
  const [faults, setFaults] = useState<Texts>({});
  const cohorts = useCohorts(true);
  const typingOf = (name: keyof Texts) =>
    typing(texts[name] ?? '', (value) => {
      setTexts((before) => ({ ...before, [name]: value }));
      onEdit();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const person: PersonVariables = {};
    const wrong: Texts = {};
    for (const name of Object.keys(TEXTS) as (keyof typeof TEXTS)[]) if (texts[name]) person[name] = texts[name];
    for (const name of Object.keys(OBJECTS) as (keyof typeof OBJECTS)[]) {
      if (!texts[name]?.trim()) continue;
      try {
        person[name] = JSON.parse(texts[name]) as unknown;
      } catch {
        wrong[name] = "This isn't valid JSON.";
      }
    }
    if (chosen && chosen.length > 0) person.cohorts = chosen;
    setFaults(wrong);
    onAsk(Object.keys(wrong).length === 0 ? person : null);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group grow gap="xs" align="flex-start" wrap="wrap">
          {Object.entries(TEXTS).map(([name, label]) => (
            <TextInput key={name} label={label} miw={140} {...typingOf(name as keyof Texts)} />
          ))}
        </Group>
        <TagsInput
          label="Cohorts"
          description="Overrides the person's own cohorts. Leave empty to use those."
          {...cohorts}
          value={chosen ?? []}
          onChange={(names) => {
            setChosen(names);
            onEdit();
          }}
        />
        {Object.entries(OBJECTS).map(([name, label]) => (
          <Textarea
            key={name}
            label={label}
            autosize
            minRows={1}
            placeholder="{}"
            className="mono"
            {...typingOf(name as keyof Texts)}
            error={faults[name as keyof Texts]}
          />
        ))}
        <Group>
          <Button type="submit" loading={busy} renderRoot={keepsFocus}>
            Try
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
