import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A number that one looks at first, with its name and what to know about it. */
export function Figure({ name, value, below }: { name: string; value: ReactNode; below?: ReactNode }) {
  return (
    <div className="figure">
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600} fz={22} lh={1.3}>
        {value}
      </Text>
      {below && (
        <Text size="xs" c="dimmed" component="div">
          {below}
        </Text>
      )}
    </div>
  );
}
