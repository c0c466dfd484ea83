import { Anchor, Badge, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { scopePath, useScope } from '../data/scope.js';
import { Panel } from '../parts/page.js';

const MOST = 20;

interface FlagsInForceProps {
  /** Values by key, as the client had them when it crashed. */
  flags: Readonly<Record<string, unknown>>;
  /** Keys of flags that changed shortly before the issue was first seen. */
  suspects: ReadonlySet<string>;
}

/** The person's flags at the time of the crash, recently changed ones first. */
export function FlagsInForce({ flags, suspects }: FlagsInForceProps) {
  const scope = useScope();
  const keys = Object.keys(flags).sort((a, b) => Number(suspects.has(b)) - Number(suspects.has(a)) || (a < b ? -1 : 1));
  return (
    <Panel title="Flags at the time">
      <table className="plain-table">
        <tbody>
          {keys.slice(0, MOST).map((key) => (
            <tr key={key}>
              <td className="mono">
                <Anchor component={Link} to={scopePath(scope, 'flags', key)} inherit>
                  {key}
                </Anchor>{' '}
                {suspects.has(key) && <Badge color="orange">recently changed</Badge>}
              </td>
              <td className="mono">{JSON.stringify(flags[key])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {keys.length > MOST && (
        <Text size="xs" c="dimmed">
          and {keys.length - MOST} more
        </Text>
      )}
    </Panel>
  );
}
