import { Group, Text } from '@mantine/core';
import { AuditLogDocument, type AuditLogQuery, EventKindsDocument } from '#documents';
import { useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { DiffView } from '../editor/diff-view.js';
import { Evidence } from '../flags/evidence.js';
import { Page, Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { SearchField } from '../parts/rows/search-field.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';
import { nameOf, wordsOf } from './audit-words.js';

type Entry = NonNullable<AuditLogQuery['auditLog']>['nodes'][number];

/** What was changed in the project, by whom, from where; each with what was before and after. */
export function AuditPage() {
  const { projectId } = useScope();
  const [search] = useSearchState();
  const { data, error } = useDocument(EventKindsDocument, {}, { requestPolicy: 'cache-first' });
  const kinds = data?.eventKinds?.map(({ kind }) => kind);
  const looked = search.q?.toLowerCase();
  const filter = looked ? { kind: { in: kinds?.filter((kind) => kind.includes(looked)) ?? [] } } : null;
  const isWaiting = Boolean(looked) && !kinds;
  const pages = usePages(AuditLogDocument, { projectId, filter }, ({ auditLog }) => auditLog);
  return (
    <Page title="Audit">
      <Group mb="sm">
        <SearchField label="Kind of change" placeholder="switch.flag, halted, member" />
      </Group>
      <Panel title="Every change">
        {(isWaiting || !pages.isKnown) && <WaitingRows error={isWaiting ? error : pages.error} />}
        {!isWaiting && pages.isKnown && pages.rows.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing of that kind.
          </Text>
        )}
        {pages.rows.map((entry) => (
          <AuditEntry key={entry.id} entry={entry} />
        ))}
        <More pages={pages}>Older entries</More>
      </Panel>
    </Page>
  );
}

function AuditEntry({ entry }: { entry: Entry }) {
  const { kind, actorEmail, inEnvironment, createdAt, address, requestId, before, after, data } = entry;
  const hasDiff = before !== null || after !== null;
  return (
    <details className="frame">
      <summary>
        <span className="line">
          <span className="cut named">
            {wordsOf(kind)} <strong dir="auto">{nameOf(data)}</strong>
          </span>
          <span className="soft cut">{[actorEmail, inEnvironment].filter(Boolean).join(', ')}</span>
          <span className="line-time">
            <When at={createdAt} />
          </span>
        </span>
      </summary>
      <Text size="xs" c="dimmed" my={6}>
        <span className="mono">{kind}</span> of {entry.objectType} {entry.objectId}
        {address ? `, from ${address}` : ''}, request {requestId}
      </Text>
      <Evidence data={data} />
      {hasDiff ? (
        <DiffView before={text(before)} after={text(after)} />
      ) : (
        <pre className="code">{JSON.stringify(data, null, 2)}</pre>
      )}
    </details>
  );
}

const text = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2));
