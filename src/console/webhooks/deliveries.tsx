import { Badge, Button, Group, SegmentedControl, Text } from '@mantine/core';
import {
  type DeliveryRowFragment,
  HookDeliveriesDocument,
  ReplayDeliveryDocument,
  type WebhookDeliveryStatus,
} from '#documents';
import { useMay, useScope } from '../app/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';

const COLOURS = { delivered: 'teal', pending: 'yellow', dead: 'red' } as const;

/** What was sent, with every attempt and what came back. */
export function Deliveries({ subscriptionId }: { subscriptionId: string }) {
  const { projectId } = useScope();
  const [search, change] = useSearchState();
  const status = (search.status ?? null) as WebhookDeliveryStatus | null;
  const pages = usePages(
    HookDeliveriesDocument,
    { projectId, subscriptionId, status },
    ({ webhookDeliveries }) => webhookDeliveries,
  );
  return (
    <Panel
      title="Deliveries"
      aside={
        <SegmentedControl
          aria-label="Which deliveries"
          data={['all', 'delivered', 'pending', 'dead']}
          value={status ?? 'all'}
          onChange={(value) => change({ status: value === 'all' ? null : value })}
        />
      }
    >
      {!pages.isKnown && <WaitingRows rows={4} />}
      {pages.isKnown && pages.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          None. Send a test, or change something that it listens to.
        </Text>
      )}
      {pages.rows.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} />
      ))}
      {pages.hasMore && (
        <Button variant="default" mt="sm" onClick={pages.loadMore}>
          Older deliveries
        </Button>
      )}
    </Panel>
  );
}

function Delivery({ delivery }: { delivery: DeliveryRowFragment }) {
  const may = useMay('webhook_manage');
  const [replay, replaying] = useChange(ReplayDeliveryDocument);
  const { id, kind, status, attempts, createdAt, nextAttemptAt, attemptLog } = delivery;
  return (
    <details className="frame">
      <summary>
        <Group gap="xs" display="inline-flex">
          <Badge color={COLOURS[status]}>{status}</Badge>
          <span className="mono">{kind}</span>
          <Text size="xs" c="dimmed" span>
            <When at={createdAt} />, {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
            {nextAttemptAt && status === 'pending' ? ', next ' : ''}
            {nextAttemptAt && status === 'pending' ? <When at={nextAttemptAt} /> : null}
          </Text>
        </Group>
      </summary>
      {attemptLog.map((attempt) => (
        <div key={attempt.number}>
          <Text size="xs" mt={6}>
            {attempt.number}. <When at={attempt.at} />: {attempt.status ?? attempt.failure}
            {attempt.latencyMs === null ? '' : ` after ${attempt.latencyMs} ms`}
          </Text>
          {attempt.answer && <pre className="code">{attempt.answer}</pre>}
        </div>
      ))}
      <Group mt={6}>
        <Permitted
          may={may}
          variant="default"
          size="compact-xs"
          loading={replaying}
          onClick={() => replay({ ids: [id] }, 'It is sent again.')}
        >
          Send again
        </Permitted>
      </Group>
    </details>
  );
}
