import { Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useArrival } from '../data/arrival.js';
import { isolated } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { LongTitle } from './long-title.js';
import { BelowTitle } from './states.js';
import { PageLink } from './text.js';

/** What the audit log is to show: the changes of an object, or those made with an API token. */
export type Audited = AuditedObject | { token: string; of: 'organization' };

interface AuditedObject {
  /** Such as `config_item`; leave out if only the id is known. */
  objectType?: string;
  objectId: string;
  /** The entries belong to the organization, not to this project. */
  of?: 'organization';
}

interface PageProps {
  title: string;
  /** The open one of several pages with this title; named in the title of the browser's tab. */
  section?: string;
  /** Shown beside the title: badges, a state. */
  beside?: ReactNode;
  /** The parent list: name and path. */
  above?: { name: string; path: string };
  /** The page's object in the audit log; adds a link for those who may read the log. */
  audited?: Audited;
  actions?: ReactNode;
  children: ReactNode;
  /** For pages with a table: use the full width. */
  flush?: boolean;
}

/** Longer titles, such as those of crashes, use a smaller font. */
const LONG_TITLE = 48;

export function Page({ title, section, beside, above, audited, actions, children, flush = false }: PageProps) {
  const scope = useScope();
  const isAudited = useMay('audit_view') && audited !== undefined;
  const heading = useArrival<HTMLHeadingElement>();
  useEffect(() => {
    const place = `${isolated(scope.projectName)} ${scope.environment}`;
    document.title = [section, isolated(title), place, 'Quarterdeck'].filter(Boolean).join(' · ');
  }, [title, section, scope]);
  return (
    <div className={flush ? 'sheet sheet-flush' : 'sheet'}>
      <header className="sheet-head">
        <div>
          {above && (
            <div className="sheet-crumb">
              <PageLink to={above.path.split('/')}>{above.name}</PageLink> /
            </div>
          )}
          <Group gap="xs" miw={0}>
            {title.length > LONG_TITLE ? (
              <LongTitle key={title} heading={heading}>
                {title}
              </LongTitle>
            ) : (
              <Title order={1} ref={heading} tabIndex={-1} className="title">
                {title}
              </Title>
            )}
            {beside}
          </Group>
        </div>
        {(actions || isAudited) && (
          <Group gap="xs" flex="none" maw="100%">
            {actions}
            {isAudited && <AuditLink of={audited} />}
          </Group>
        )}
      </header>
      <BelowTitle value={true}>{children}</BelowTitle>
    </div>
  );
}

export function Panel({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel" aria-label={title}>
      <Group justify="space-between" className="panel-head" gap="xs">
        <Title order={2}>{title}</Title>
        {aside}
      </Group>
      <div className="panel-body">{children}</div>
    </section>
  );
}

/** Links to audit entries, for those who may read them. */
export function AuditLink({ of }: { of: Audited }) {
  if (!useMay('audit_view')) return null;
  return (
    <PageLink to={['audit']} inherit={false} search={of} size="xs">
      Audit
    </PageLink>
  );
}
