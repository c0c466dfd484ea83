import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { OverviewQuery } from '#documents';
import { useScope } from '../data/scope.js';
import { Panel } from '../parts/page.js';
import { actorWords, Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';
import { pageOfChanged } from '../settings/audit-place.js';
import { nameOf, wordsOf } from '../settings/audit-words.js';

type Entry = NonNullable<NonNullable<OverviewQuery['project']>['auditLog']>['nodes'][number];

const MOST = 8;

/** People's actions only, without the hundreds of entries caused by end users and sessions. */
const changesOf = (entries: readonly Entry[]): readonly Entry[] =>
  entries.filter(({ kind }) => !/^(?:pulse\.response\.|access\.user\.)/.test(kind)).slice(0, MOST);

/** Who changed what, latest first. */
export function Lately({ entries }: { entries: readonly Entry[] | undefined }) {
  const scope = useScope();
  if (!entries) return null;
  return (
    <Panel
      title="Recent changes"
      aside={
        <PageLink to={['audit']} inherit={false} size="xs">
          Audit log
        </PageLink>
      }
    >
      <table className="plain-table">
        <tbody>
          {changesOf(entries).map((entry) => {
            const name = nameOf(entry.data);
            const path = pageOfChanged(scope, entry);
            return (
              <tr key={entry.id}>
                <td>
                  <Text size="sm" lineClamp={3}>
                    {wordsOf(entry.kind)}{' '}
                    {path ? (
                      <Anchor component={Link} to={path} inherit>
                        {name ?? 'open'}
                      </Anchor>
                    ) : (
                      <strong>{name}</strong>
                    )}
                  </Text>
                  <Muted size="xs">
                    {[actorWords(entry.actorId, entry.actorEmail), entry.inEnvironment].filter(Boolean).join(', ')}
                  </Muted>
                </td>
                <td className="when">
                  <When at={entry.createdAt} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </Panel>
  );
}
