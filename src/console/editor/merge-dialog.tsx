import { ChoiceSegments } from '../parts/fields/choices.js';
import './editor.css';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Dialog } from '../parts/dialog.js';
import { Muted } from '../parts/text.js';
import type { FieldMerge } from './merge.js';
import type { Meanwhile } from './use-draft.js';

interface MergeDialogProps<T extends object> {
  meanwhile: Meanwhile<T>;
  onClose: () => void;
}

const CHANGED_BY = { me: 'you', them: 'them', both: 'both' } as const;

/** `defaultVariant` in words: default variant. */
const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Shows the original, their version and yours field by field, and lets you choose which to keep. */
export function MergeDialog<T extends object>({ meanwhile: { fields, merge }, onClose }: MergeDialogProps<T>) {
  const [chosen, setChosen] = useState<Readonly<Record<string, 'mine' | 'theirs'>>>({});
  const sideOf = ({ name, changedBy }: FieldMerge<string>) =>
    chosen[name] ?? (changedBy === 'them' ? 'theirs' : changedBy === 'me' ? 'mine' : undefined);
  const open = fields.filter((field) => !sideOf(field)).length;
  const take = (isMine: (field: FieldMerge<keyof T & string>) => boolean) =>
    merge(new Set(fields.filter(isMine).map(({ name }) => name)));
  return (
    <Dialog onClose={onClose} size="80rem" title="Someone else saved changes">
      <Stack gap="md">
        <Text size="sm">
          Nothing has been overwritten yet. Choose which version of each part to keep. You can edit further before you
          save.
        </Text>
        {fields.map((field) => (
          <section key={field.name} className="rule" aria-label={wordsOf(field.name)}>
            <Group justify="space-between" mb="xs">
              <Group gap={6}>
                <Text size="sm" fw={600} tt="capitalize">
                  {wordsOf(field.name)}
                </Text>
                <Badge color={field.changedBy === 'both' ? 'orange' : 'gray'}>
                  Changed by {CHANGED_BY[field.changedBy]}
                </Badge>
              </Group>
              <ChoiceSegments
                aria-label={`Version of ${wordsOf(field.name)}`}
                choices={{ theirs: 'Theirs', mine: 'Mine' }}
                value={sideOf(field) ?? ''}
                onChange={(side) => setChosen({ ...chosen, [field.name]: side })}
              />
            </Group>
            <div className="three">
              {(['base', 'theirs', 'mine'] as const).map((side) => (
                <div key={side}>
                  <Muted size="xs">{{ base: 'Before', theirs: 'Theirs', mine: 'Mine' }[side]}</Muted>
                  {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text must scroll by keyboard too */}
                  <pre className="code merge-side" data-chosen={sideOf(field) === side} tabIndex={0}>
                    {field[side] || ' '}
                  </pre>
                </div>
              ))}
            </div>
          </section>
        ))}
        <Group justify="flex-end">
          <Button variant="subtle" onClick={() => take(() => false)}>
            Use all of theirs
          </Button>
          <Button variant="subtle" onClick={() => take(() => true)}>
            Keep all of mine
          </Button>
          <Button disabled={open > 0} onClick={() => take((field) => sideOf(field) === 'mine')}>
            {open > 0 ? `${open} to choose` : 'Continue'}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
