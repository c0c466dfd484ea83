import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { OverviewQuery } from '#documents';
import { Panel } from '../parts/page.js';
import { counted } from '../parts/short-numbers.js';
import { Muted, PageLink } from '../parts/text.js';
import { When } from '../parts/when.js';

/** The share of a quota from which to warn. */
const NEARLY_USED = 0.8;

/** What needs action. */
export function Attention({ data: { project, missingSymbols } }: { data: OverviewQuery }) {
  const failing = project?.webhookSubscriptions;
  const unnamed = (failing?.totalCount ?? 0) - (failing?.nodes.length ?? 0);
  const issues = project?.crashIssues.nodes ?? [];
  const short = project?.usage.meters.filter(({ current, limit }) => limit !== null && current >= limit * NEARLY_USED);
  const lines: ReactNode[] = [
    ...(short ?? []).map(({ meter, current, limit }) => (
      <Text size="sm" key={meter} className="warn">
        {Math.floor((100 * current) / (limit ?? 1))}% of this month's {meter} used
      </Text>
    )),
    ...(failing?.nodes ?? []).map(({ id, url, failingSince }) => (
      <Text size="sm" key={id}>
        Webhook <PageLink to={['webhooks', id]}>{url}</PageLink> is failing; first failed delivery{' '}
        <When at={failingSince} />
      </Text>
    )),
    ...(unnamed > 0
      ? [
          <Text size="sm" key="webhooks">
            And <PageLink to={['webhooks']}>{counted(unnamed, 'more webhook')}</PageLink> {unnamed === 1 ? 'is' : 'are'}{' '}
            failing
          </Text>,
        ]
      : []),
    ...((missingSymbols?.length ?? 0) > 0
      ? [
          <Text size="sm" key="symbols">
            <PageLink to={['crashes', 'symbols']}>Symbols are missing</PageLink> for{' '}
            {counted(missingSymbols?.length ?? 0, 'build')}
          </Text>,
        ]
      : []),
    ...issues.map(({ id, title, eventCount, lastSeenAt }) => (
      <div key={id}>
        <Text size="sm" dir="auto" className="cut">
          <PageLink to={['crashes', id]}>{title}</PageLink>
        </Text>
        <Muted size="xs">
          {Number(eventCount).toLocaleString('en')}×, last <When at={lastSeenAt} />
        </Muted>
      </div>
    )),
  ];
  return (
    <Panel title="Needs attention">
      <Stack gap={8}>
        {lines.length > 0 ? lines : <Muted>All clear: no open issues, failing webhooks or missing symbols.</Muted>}
      </Stack>
    </Panel>
  );
}
