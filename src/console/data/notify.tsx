import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

const READ_MS = 5_000;
const UNDO_MS = 10_000;

/** Shows a confirmation at the foot of the page, which interrupts no screen reader; `undo` adds a button for a while. */
export function notify(message: string, undo?: () => unknown): void {
  if (!undo) {
    notifications.show({ message, color: 'teal', role: 'status', autoClose: READ_MS });
    return;
  }
  const goBack = () => {
    notifications.hide(id);
    void undo();
  };
  const id = notifications.show({
    color: 'teal',
    role: 'status',
    autoClose: UNDO_MS,
    message: (
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <span>{message}</span>
        <Button variant="default" size="compact-xs" flex="none" onClick={goBack}>
          Undo
        </Button>
      </Group>
    ),
  });
}

/** Shows at the foot of the page why something failed. It is an alert, which a screen reader reads at once. */
export function notifyFailure(message: string): void {
  notifications.show({ title: "That didn't work", message, color: 'red', autoClose: 12_000 });
}

/** Hebrew, Arabic and other right-to-left letters, and direction marks. */
const TURNED =
  /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A name within a sentence. If it is right-to-left, it is isolated so the text around it keeps its order. */
export const isolated = (name: string): string => (TURNED.test(name) ? `\u2068${name}\u2069` : name);
