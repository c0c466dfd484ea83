import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useScope } from '../data/scope.js';

const FROM = { editor: 'Editors, admins and owners', admin: 'Admins and owners', owner: 'Owners' } as const;

interface WhoMayProps {
  may: boolean;
  /** The weakest role that may. */
  weakest: keyof typeof FROM;
  /** What they may, as "make boards". */
  to: string;
  /** What is there for those who may. */
  children?: ReactNode;
}

/** What one may use; whoever may not reads who may instead. */
export function WhoMay({ may, weakest, to, children }: WhoMayProps) {
  const { role } = useScope();
  if (may) return children;
  return (
    <Text size="sm" c="dimmed" my="xs">
      {FROM[weakest]} may {to}; your role here is {role}.
    </Text>
  );
}
