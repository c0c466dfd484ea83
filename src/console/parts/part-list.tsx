import { Button, Group, type GroupProps, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { RemoveButton } from './fields/arrange.js';
import { keepsFocus } from './focus/keeps-focus.js';
import { capitalized, Muted } from './text.js';

interface PartListProps<Part> {
  /** The name of one part, such as "condition". */
  name: string;
  parts: readonly Part[];
  disabled: boolean;
  onChange: (parts: Part[]) => void;
  /** The key of a part; its position if not given. */
  keyOf?: (part: Part) => number;
  /** The new part that the Add button adds. */
  fresh: () => Part;
  fewest?: number;
  /** Shown when there are no parts. */
  empty?: ReactNode;
  /** Frame each part, for parts with many fields. */
  isFramed?: boolean;
  mayAdd?: boolean;
  align?: GroupProps['align'];
  /** The fields of one part. */
  children: (part: Part, change: (by: Partial<Part>) => void, at: number) => ReactNode;
}

/** A list of a draft's parts, each with its fields and a remove button, and an Add button below. */
export function PartList<Part>(props: PartListProps<Part>) {
  const { name, parts, keyOf, disabled, onChange, fresh, fewest = 0, empty } = props;
  const { isFramed = false, mayAdd = true, align } = props;
  return (
    <Stack gap={isFramed ? 'xs' : 6} className="part-list">
      {parts.length === 0 && empty && <Muted>{empty}</Muted>}
      {parts.map((part, at) => (
        <Group
          key={keyOf?.(part) ?? at}
          gap={6}
          wrap={isFramed ? 'wrap' : 'nowrap'}
          align={align ?? 'center'}
          data-align={align}
          {...(isFramed && { className: 'rule', role: 'group', 'aria-label': `${capitalized(name)} ${at + 1}` })}
        >
          {props.children(
            part,
            (by) => onChange(parts.map((one, index) => (index === at ? { ...one, ...by } : one))),
            at,
          )}
          <RemoveButton
            what={`${name} ${at + 1}`}
            disabled={disabled || parts.length <= fewest}
            renderRoot={keepsFocus}
            onClick={() => onChange(parts.toSpliced(at, 1))}
          />
        </Group>
      ))}
      <div>
        <Button
          variant={isFramed ? 'default' : 'subtle'}
          size={isFramed ? 'xs' : 'compact-xs'}
          disabled={disabled || !mayAdd}
          renderRoot={keepsFocus}
          onClick={() => onChange([...parts, fresh()])}
        >
          + {capitalized(name)}
        </Button>
      </div>
    </Stack>
  );
}
