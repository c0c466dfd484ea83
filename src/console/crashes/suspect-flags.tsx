import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { CrashIssueQuery } from '#documents';
import { Panel } from '../parts/page.js';
import { Tag } from '../parts/tag.js';
import { actorWords, Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';

type Changes = NonNullable<NonNullable<CrashIssueQuery['crashIssue']>['suspectFlagChanges']>;

/** The latest changes are the likeliest causes; the rest are one click away. */
const FIRST = 3;

/** Flag changes in the day before an issue was first seen, and the way to halt each flag. */
export function SuspectFlags({ changes, firstSeenAt }: { changes: Changes; firstSeenAt: string }) {
  const [showsAll, { open }] = useDisclosure(false);
  if (changes.length === 0) return null;
  const shown = showsAll ? changes : changes.slice(0, FIRST);
  return (
    <Panel title="Flag changes in the day before">
      {shown.map(({ id, flag, action, versionNumber, actorId, actorEmail, note, createdAt }) => (
        <div key={id} className="entry">
          <div>
            {flag ? (
              <PageLink to={['flags', flag.key]} className="mono">
                {flag.key}
              </PageLink>
            ) : (
              'a flag'
            )}{' '}
            was {action} (version {versionNumber}) {before(createdAt, firstSeenAt)}
          </div>
          {flag && changes.find((change) => change.flag?.id === flag.id)?.id === id && <Halt flag={flag} />}
          <Muted size="xs">
            {actorWords(actorId, actorEmail)}, <When at={createdAt} />
            {note && (
              <>
                : <bdi>{note}</bdi>
              </>
            )}
          </Muted>
        </div>
      ))}
      {shown.length < changes.length && (
        <Button variant="subtle" size="compact-xs" onClick={open} mt={6}>
          {changes.length - shown.length} more
        </Button>
      )}
    </Panel>
  );
}

/** Beside the flag's latest change: whether it is halted, or the link to halt it. */
function Halt({ flag: { key, haltedAt, isArchived, viewerCan } }: { flag: NonNullable<Changes[number]['flag']> }) {
  if (haltedAt) return <Tag tone="halt">Halted</Tag>;
  if (isArchived || !viewerCan.includes('switch_flag_halt')) return null;
  return (
    <PageLink to={['flags', key]} search={{ halt: 'yes' }} className="bad suspect-halt" aria-label={`Halt ${key}`}>
      Halt
    </PageLink>
  );
}

function before(changedAt: string, seenAt: string): string {
  const minutes = Math.round((Date.parse(seenAt) - Date.parse(changedAt)) / 60_000);
  if (minutes < 1) return 'less than a minute before';
  return minutes < 120 ? `${minutes} min before` : `${Math.round(minutes / 60)} h before`;
}
