import { ActionIcon, type ActionIconProps, Group } from '@mantine/core';
import { keepsFocus } from '../focus/keeps-focus.js';

/** A list with one of its entries in another place. */
export const moved = <T,>(list: readonly T[], from: number, to: number): T[] =>
  list.toSpliced(from, 1).toSpliced(to, 0, ...list.slice(from, from + 1));

interface RemoveButtonProps extends ActionIconProps {
  what: string;
  onClick: () => void;
  renderRoot?: typeof keepsFocus;
}

export const RemoveButton = ({ what, ...button }: RemoveButtonProps) => (
  <ActionIcon aria-label={`Remove ${what}`} {...button}>
    ×
  </ActionIcon>
);

interface ArrangeButtonsProps {
  what: string;
  at: number;
  /** How many there are. */
  count: number;
  disabled: boolean;
  onMove: (to: number) => void;
  onRemove: () => void;
}

/** Move one of several parts up or down, or remove it. */
export function ArrangeButtons({ what, at, count, disabled, onMove, onRemove }: ArrangeButtonsProps) {
  return (
    <Group gap={2} wrap="nowrap">
      <ActionIcon
        aria-label={`Move ${what} up`}
        onClick={() => onMove(at - 1)}
        disabled={disabled || at === 0}
        renderRoot={keepsFocus}
      >
        ↑
      </ActionIcon>
      <ActionIcon
        aria-label={`Move ${what} down`}
        onClick={() => onMove(at + 1)}
        disabled={disabled || at === count - 1}
        renderRoot={keepsFocus}
      >
        ↓
      </ActionIcon>
      <RemoveButton what={what} onClick={onRemove} disabled={disabled} />
    </Group>
  );
}
