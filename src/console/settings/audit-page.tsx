import { Anchor, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { AuditLogDocument } from '#documents';
import { isolated } from '../data/notify.js';
import { useScope } from '../data/scope.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { DiffView } from '../editor/diff-view.js';
import { Evidence } from '../editor/evidence.js';
import { Page, Panel } from '../parts/page.js';
import { More } from '../parts/rows/more.js';
import { WaitingRows } from '../parts/states.js';
import { actorWords, Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';
import { AuditFields, NothingChanged, useAuditFilter } from './audit-filter.js';
import { pageOfChanged } from './audit-place.js';
import { type Entry, nameOf, thingWords, wordsOf } from './audit-words.js';

/** Changes in the project or the organization: by whom, from where, and the values before and after. */
export function AuditPage() {
  const { projectId, filter, isWaiting, error } = useAuditFilter();
  const pages = usePages(AuditLogDocument, { projectId, filter }, ({ auditLog }) => auditLog);
  return (
    <Page title="Audit">
      <AuditFields rows={pages.rows} />
      <Panel title="Changes">
        {(isWaiting || !pages.isKnown) && <WaitingRows error={isWaiting ? error : pages.error} />}
        {!isWaiting && pages.isKnown && pages.rows.length === 0 && (
          <Muted>
            <NothingChanged />
          </Muted>
        )}
        {pages.rows.map((entry) => (
          <AuditEntry key={entry.id} entry={entry} isOfProject={projectId !== null} />
        ))}
        <More pages={pages}>Load older entries</More>
      </Panel>
    </Page>
  );
}

function AuditEntry({ entry, isOfProject }: { entry: Entry; isOfProject: boolean }) {
  const [isOpen, setIsOpen] = useState(false);
  const { kind, actorId, actorEmail, actorTokenId, actorTokenName, inEnvironment, createdAt, data } = entry;
  const token = actorTokenId && `token ${isolated(actorTokenName ?? actorTokenId)}`;
  const place = isOfProject || !entry.project ? null : isolated(entry.project.name);
  return (
    <details className="frame" onToggle={(e) => setIsOpen(e.currentTarget.open)}>
      <summary>
        <span className="line">
          <span className="cut named">
            {wordsOf(kind)} <strong dir="auto">{nameOf(data)}</strong>
          </span>
          <span className="soft cut">
            {[actorWords(actorId, actorEmail), token, inEnvironment, place].filter(Boolean).join(', ')}
          </span>
          <span className="line-time">
            <When at={createdAt} />
          </span>
        </span>
      </summary>
      {isOpen && <Change entry={entry} />}
    </details>
  );
}

function Change({ entry }: { entry: Entry }) {
  const scope = useScope();
  const [{ of }] = useSearchState();
  const page = pageOfChanged(scope, entry);
  const { kind, objectType, objectId, actorId, actorEmail, actorTokenId, address, requestId } = entry;
  const { before, after, data } = entry;
  const hasDiff = before !== null || after !== null;
  const all = (narrowed: Record<string, string>) => ({ to: ['audit'], search: { ...(of && { of }), ...narrowed } });
  return (
    <>
      <Muted size="xs" my={6}>
        <span className="mono">{kind}</span> of {objectType} {objectId}
        {actorTokenId ? `, by API token ${actorTokenId}` : ''}
        {address ? `, from ${address}` : ''}, request {requestId}
      </Muted>
      <Group gap="sm" fz="xs" mb={6}>
        {page && (
          <Anchor component={Link} to={page} inherit>
            Open this {thingWords(objectType)}
          </Anchor>
        )}
        <PageLink {...all({ objectType, objectId })}>All changes to this {thingWords(objectType)}</PageLink>
        <PageLink {...all({ who: actorId })}>All changes by {actorWords(actorId, actorEmail)}</PageLink>
        {actorTokenId && <PageLink {...all({ token: actorTokenId })}>All changes with this token</PageLink>}
      </Group>
      <Evidence url={evidenceIn(data)} />
      {hasDiff ? (
        <DiffView before={text(before)} after={text(after)} />
      ) : (
        <pre className="code">{JSON.stringify(data, null, 2)}</pre>
      )}
    </>
  );
}

const evidenceIn = (data: unknown): unknown => (data as { evidence_url?: unknown } | null)?.evidence_url;

const text = (value: unknown): string => (value === null ? '' : JSON.stringify(value, null, 2));
