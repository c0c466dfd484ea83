import { Button, Group, Stack, Table, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { RemoveButton } from '../parts/fields/arrange.js';
import { typing } from '../parts/fields/typing.js';
import { keepsFocus } from '../parts/focus/keeps-focus.js';
import type { SurveyDraft, TranslationsDraft } from './survey-draft.js';

/** The survey's name and questions in other languages; a missing translation falls back to the original. */
export function TranslationsForm({
  draft: { name, questions, translations },
  disabled,
  onChange,
}: {
  draft: SurveyDraft;
  disabled: boolean;
  onChange: (translations: TranslationsDraft) => void;
}) {
  const [language, setLanguage] = useState('');
  const texts = [
    { key: 'survey.name', text: name },
    ...questions.map(({ id, prompt }) => ({ key: `question.${id}.prompt`, text: prompt })),
  ];
  const write = (tag: string, key: string, text: string) => {
    const { [key]: _, ...others } = translations[tag] ?? {};
    onChange({ ...translations, [tag]: text ? { ...others, [key]: text } : others });
  };
  const add = () => {
    const tag = language.trim();
    if (tag && !(tag in translations)) onChange({ ...translations, [tag]: {} });
    setLanguage('');
  };
  return (
    <Stack gap="sm">
      {Object.keys(translations).map((tag) => (
        <section key={tag} aria-label={`Translations: ${tag}`}>
          <Group justify="space-between" mb={4}>
            <Text size="sm" fw={600} className="mono">
              {tag}
            </Text>
            <RemoveButton
              what={tag}
              disabled={disabled}
              onClick={() => onChange(Object.fromEntries(Object.entries(translations).filter(([one]) => one !== tag)))}
            />
          </Group>
          <Table withRowBorders={false} verticalSpacing={3} horizontalSpacing={6} layout="fixed">
            <Table.Tbody>
              {texts.map(({ key, text }) => (
                <Table.Tr key={key}>
                  <Table.Td>
                    <Text size="sm">{text}</Text>
                  </Table.Td>
                  <Table.Td>
                    <TextInput
                      aria-label={`“${text}” in ${tag}`}
                      placeholder={text}
                      {...typing(translations[tag]?.[key] ?? '', (typed) => write(tag, key, typed))}
                      disabled={disabled}
                    />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ))}
      <Group gap="xs">
        <TextInput
          aria-label="Another language"
          placeholder="de, pt-BR"
          {...typing(language, setLanguage)}
          disabled={disabled}
          w={120}
        />
        <Button variant="default" onClick={add} disabled={disabled || language.trim() === ''} renderRoot={keepsFocus}>
          + Language
        </Button>
      </Group>
    </Stack>
  );
}
