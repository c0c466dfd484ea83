import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Muted } from './text.js';

/** A headline number with its name and a detail. */
export function Figure({ name, value, below }: { name: string; value: ReactNode; below?: ReactNode }) {
  return (
    <div className="figure">
      <Muted size="xs">{name}</Muted>
      <Text fw={600} fz={22} lh={1.3}>
        {value}
      </Text>
      {below && (
        <Muted size="xs" component="div">
          {below}
        </Muted>
      )}
    </div>
  );
}
