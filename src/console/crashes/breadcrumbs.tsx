import { Text } from '@mantine/core';

interface Crumb {
  timestamp?: string;
  category?: string;
  type?: string;
  message?: string;
  [name: string]: unknown;
}

/** What led to the crash, the last step first; what an SDK adds of its own is shown as it is. */
export function Breadcrumbs({ crumbs }: { crumbs: unknown }) {
  const steps = Array.isArray(crumbs) ? (crumbs as Crumb[]).toReversed() : [];
  if (steps.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The client sent none.
      </Text>
    );
  return (
    <ol className="timeline">
      {steps.map((step, at) => {
        const { timestamp, category, type, message, ...rest } = step;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are told apart by their place alone
          <li key={at}>
            <Text size="sm">
              <span className="soft mono">{category ?? type ?? ''}</span> <bdi>{message ?? ''}</bdi>
            </Text>
            <Text size="xs" c="dimmed" className="mono">
              {[timestamp, Object.keys(rest).length > 0 ? JSON.stringify(rest) : ''].filter(Boolean).join(' ')}
            </Text>
          </li>
        );
      })}
    </ol>
  );
}
