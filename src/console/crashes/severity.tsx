import { Badge } from '@mantine/core';
import type { CrashLevel } from '#documents';

const COLOURS: Readonly<Record<CrashLevel, string>> = {
  fatal: 'red',
  error: 'orange',
  warning: 'yellow',
  info: 'blue',
  debug: 'gray',
};

export function Severity({ level }: { level: CrashLevel }) {
  return <Badge color={COLOURS[level] ?? 'gray'}>{level}</Badge>;
}
