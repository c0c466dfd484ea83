import { Badge, Group, Text } from '@mantine/core';
import { type DeliveryRowFragment, HookDeliveriesDocument, ReplayDeliveryDocument } from '#documents';
import { useLookWhenDue } from '../data/live.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { useSearchState } from '../data/use-search-state.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { Choice, useChoice } from '../parts/rows/choice.js';
import { ChoosingBox } from '../parts/rows/choosing.js';
import { More } from '../parts/rows/more.js';
import { SearchField } from '../parts/rows/search-field.js';
import { type Chosen, useChosen } from '../parts/rows/use-chosen.js';
import { counted } from '../parts/short-numbers.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';
import { Attempts } from './attempts.js';

const STATUSES = { all: 'all', delivered: 'delivered', pending: 'pending', dead: 'dead' } as const;
const COLOURS = { delivered: 'teal', pending: 'yellow', dead: 'red' } as const;

/** What was sent, with every attempt and what came back; several are sent again at once. */
export function Deliveries({ subscriptionId }: { subscriptionId: string }) {
  const { projectId } = useScope();
  const may = useMay('webhook_manage');
  const [search] = useSearchState();
  const [replay, replaying] = useChange(ReplayDeliveryDocument);
  const shown = useChoice('status', STATUSES);
  const status = shown === 'all' ? null : shown;
  const variables = { projectId, subscriptionId, status, kind: search.q ?? null };
  const pages = usePages(HookDeliveriesDocument, variables, ({ webhookDeliveries }) => webhookDeliveries);
  const chosen = useChosen(variables, pages.rows);
  useLookWhenDue(pages.rows, pendingAt);
  const again = async () => {
    const answered = await replay({ ids: [...chosen.ids] }, `${chosen.ids.length} are sent again.`);
    if (!answered.error) chosen.change(answered.refused);
  };
  return (
    <Panel
      title="Deliveries"
      aside={
        <Group gap="xs">
          {chosen.ids.length > 0 && (
            <Permitted may={may} loading={replaying} onClick={again}>
              Send {chosen.ids.length} again
            </Permitted>
          )}
          <SearchField label="Kind of event" placeholder="switch.flag.halted" w={170} />
          <Choice label="Which deliveries" name="status" choices={STATUSES} />
        </Group>
      }
    >
      {!pages.isKnown && <WaitingRows rows={4} error={pages.error} />}
      {pages.isKnown && pages.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          {status === null && !search.q
            ? 'None. Send a test, or change something that it listens to.'
            : 'No delivery fits. Another choice above may find one; a kind is found by its whole name.'}
        </Text>
      )}
      {pages.rows.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} chosen={chosen} />
      ))}
      <More pages={pages}>Older deliveries</More>
    </Panel>
  );
}

const pendingAt = ({ status, nextAttemptAt, createdAt }: DeliveryRowFragment) =>
  status === 'pending' ? (nextAttemptAt ?? createdAt) : null;

function Delivery({ delivery, chosen }: { delivery: DeliveryRowFragment; chosen: Chosen }) {
  const may = useMay('webhook_manage');
  const [replay, replaying] = useChange(ReplayDeliveryDocument);
  const { id, kind, status, attempts, createdAt, nextAttemptAt, attemptLog, request } = delivery;
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <ChoosingBox mt={5} chosen={chosen} id={id} name={kind} />
      <details className="frame" style={{ flex: 1, minWidth: 0 }}>
        <summary>
          <Group gap="xs" display="inline-flex" maw="calc(100% - 20px)">
            <Badge color={COLOURS[status]}>{status}</Badge>
            <span className="mono">{kind}</span>
            <Text size="xs" c="dimmed" span>
              <When at={createdAt} />, {counted(attempts, 'attempt')}
              {nextAttemptAt && status === 'pending' ? ', next ' : ''}
              {nextAttemptAt && status === 'pending' ? <When at={nextAttemptAt} /> : null}
            </Text>
          </Group>
        </summary>
        <Attempts attempts={attemptLog} body={request?.body ?? null} />
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
    </Group>
  );
}
