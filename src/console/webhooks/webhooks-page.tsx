import { Badge } from '@mantine/core';
import { type HookRowFragment, HooksDocument } from '#documents';
import { scopePath, useMay, useScope } from '../data/scope.js';
import { useOpened } from '../data/use-opened.js';
import { usePages } from '../data/use-pages.js';
import { Page } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { type Column, Rows } from '../parts/rows/rows.js';
import { Empty } from '../parts/states.js';
import { When } from '../parts/when.js';
import { CreateHook } from './create-hook.js';

/** A subscription's state in one word. */
export function HookState({ hook: { enabled, failingSince, disabledReasonCode } }: { hook: HookRowFragment }) {
  const why =
    disabledReasonCode && disabledReasonCode !== 'by_admin' ? `: ${disabledReasonCode.replaceAll('_', ' ')}` : '';
  if (!enabled) return <Badge color="gray">Disabled{why}</Badge>;
  if (failingSince) return <Badge color="red">Failing</Badge>;
  return <Badge color="teal">Active</Badge>;
}

const COLUMNS: Column<HookRowFragment>[] = [
  {
    name: 'URL',
    width: 'minmax(0, 3fr)',
    cell: ({ url, description }) => (
      <div className="cut">
        <span className="mono">{url}</span> <span className="soft wide-only">{description}</span>
      </div>
    ),
  },
  { name: 'State', width: 'minmax(70px, 1fr)', cell: (hook) => <HookState hook={hook} /> },
  {
    name: 'Listens to',
    width: 'minmax(0, 2fr)',
    wideOnly: true,
    cell: ({ patterns }) => <div className="mono cut">{patterns.join(', ')}</div>,
  },
  { name: 'Changed', width: '130px', wideOnly: true, cell: ({ updatedAt }) => <When at={updatedAt} /> },
];

export function WebhooksPage() {
  const scope = useScope();
  const mayManage = useMay('webhook_manage');
  const [creates, open, close] = useOpened('new', mayManage);
  const pages = usePages(
    HooksDocument,
    { projectId: scope.projectId, search: null },
    ({ webhookSubscriptions }) => webhookSubscriptions,
  );
  const create = (
    <Permitted may={mayManage} onClick={open}>
      New webhook
    </Permitted>
  );
  return (
    <Page title="Webhooks" flush actions={create}>
      <Rows
        label="Webhooks"
        pages={pages}
        columns={COLUMNS}
        to={({ id }) => scopePath(scope, 'webhooks', id)}
        empty={
          <Empty title="No webhooks yet" action={create}>
            A webhook notifies your pager, chat or pipeline about halts, new crashes, responses and more, in both
            environments. Every delivery is signed, retried for a day, and can be replayed.
          </Empty>
        }
      />
      {creates && <CreateHook onClose={close} />}
    </Page>
  );
}
