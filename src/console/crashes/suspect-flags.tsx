import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { CrashIssueQuery } from '#documents';
import { scopePath, useScope } from '../app/scope.js';
import { Panel } from '../parts/page.js';
import { When } from '../parts/when.js';

type Changes = NonNullable<NonNullable<CrashIssueQuery['crashIssue']>['suspectFlagChanges']>;

/** What changed in the flags in the day before an issue was first seen. */
export function SuspectFlags({ changes, firstSeenAt }: { changes: Changes; firstSeenAt: string }) {
  const scope = useScope();
  if (changes.length === 0) return null;
  return (
    <Panel title="Flags that changed in the day before">
      {changes.map(({ id, flag, action, versionNumber, actorEmail, note, createdAt }) => (
        <div key={id} className="frame">
          <Text size="sm">
            {flag ? (
              <Anchor component={Link} to={scopePath(scope, 'flags', flag.key)} inherit className="mono">
                {flag.key}
              </Anchor>
            ) : (
              'a flag'
            )}{' '}
            was {action} (version {versionNumber}) {before(createdAt, firstSeenAt)}
          </Text>
          <Text size="xs" c="dimmed">
            {actorEmail}, <When at={createdAt} />
            {note ? `: ${note}` : ''}
          </Text>
        </div>
      ))}
    </Panel>
  );
}

function before(changedAt: string, seenAt: string): string {
  const minutes = Math.round((Date.parse(seenAt) - Date.parse(changedAt)) / 60_000);
  if (minutes < 1) return 'less than a minute before';
  return minutes < 120 ? `${minutes} min before` : `${Math.round(minutes / 60)} h before`;
}
