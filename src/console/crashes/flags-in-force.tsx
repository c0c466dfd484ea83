import { Badge } from '@mantine/core';
import { Panel } from '../parts/page.js';
import { Muted, PageLink } from '../parts/text.js';

const MOST = 20;

interface FlagsInForceProps {
  /** Values by key, as the client had them when it crashed. */
  flags: Readonly<Record<string, unknown>>;
  /** Keys of flags that changed shortly before the issue was first seen. */
  suspects: ReadonlySet<string>;
}

/** The person's flags at the time of the crash, recently changed ones first. */
export function FlagsInForce({ flags, suspects }: FlagsInForceProps) {
  const keys = Object.keys(flags).sort((a, b) => Number(suspects.has(b)) - Number(suspects.has(a)) || (a < b ? -1 : 1));
  return (
    <Panel title="Flags at the time">
      <table className="plain-table">
        <tbody>
          {keys.slice(0, MOST).map((key) => (
            <tr key={key}>
              <td className="mono">
                <PageLink to={['flags', key]}>{key}</PageLink>{' '}
                {suspects.has(key) && <Badge color="orange">Recently changed</Badge>}
              </td>
              <td className="mono">{JSON.stringify(flags[key])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {keys.length > MOST && <Muted size="xs">and {keys.length - MOST} more</Muted>}
    </Panel>
  );
}
