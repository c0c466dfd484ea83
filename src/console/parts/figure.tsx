import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** A headline number with its name and a detail. */
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
