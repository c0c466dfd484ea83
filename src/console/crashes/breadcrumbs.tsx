import { Text } from '@mantine/core';
import { Muted } from '../parts/text.js';

interface Crumb {
  timestamp?: string;
  category?: string;
  type?: string;
  message?: string;
  [name: string]: unknown;
}

/** What led to the crash, latest step first. Fields that an SDK adds are shown as they are. */
export function Breadcrumbs({ crumbs }: { crumbs: unknown }) {
  const steps = Array.isArray(crumbs) ? (crumbs as Crumb[]).toReversed() : [];
  if (steps.length === 0) return <Muted>The client sent no breadcrumbs.</Muted>;
  return (
    <ol className="timeline">
      {steps.map((step, at) => {
        const { timestamp, category, type, message, ...rest } = step;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have no identity other than their position
          <li key={at}>
            <Text size="sm">
              <span className="soft mono">{category ?? type ?? ''}</span> <bdi>{message ?? ''}</bdi>
            </Text>
            <Muted size="xs" className="mono">
              {[timestamp, Object.keys(rest).length > 0 ? JSON.stringify(rest) : ''].filter(Boolean).join(' ')}
            </Muted>
          </li>
        );
      })}
    </ol>
  );
}
