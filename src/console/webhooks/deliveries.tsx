import { Badge, Group } from '@mantine/core';
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
import { NoRows } from '../parts/rows/no-rows.js';
import { SearchField } from '../parts/rows/search-field.js';
import { type Chosen, useChosen } from '../parts/rows/use-chosen.js';
import { counted } from '../parts/short-numbers.js';
import { Muted } from '../parts/text.js';
import { When } from '../parts/when.js';
import { Attempts, outcomeOf } from './attempts.js';

const STATUSES = { all: 'All', delivered: 'Delivered', pending: 'Pending', dead: 'Dead' } as const;
const COLOURS = { delivered: 'teal', pending: 'yellow', dead: 'red' } as const;

/** Deliveries with every attempt and response; several can be replayed at once. */
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
    const answered = await replay({ ids: [...chosen.ids] }, `Replaying ${chosen.ids.length}.`);
    if (!answered.error) chosen.change(answered.refused);
  };
  return (
    <Panel
      title="Deliveries"
      aside={
        <Group gap="xs">
          {chosen.ids.length > 0 && (
            <Permitted may={may} loading={replaying} onClick={again}>
              Replay {chosen.ids.length}
            </Permitted>
          )}
          <SearchField label="Event kind" placeholder="switch.flag.halted" w={170} />
          <Choice label="Status" name="status" choices={STATUSES} />
        </Group>
      }
    >
      <NoRows pages={pages} expected={4}>
        {status === null && !search.q
          ? 'No deliveries yet. Send a test, or change something this webhook listens to.'
          : 'No matching deliveries. Try a different status, or enter the full event kind.'}
      </NoRows>
      {pages.rows.map((delivery) => (
        <Delivery key={delivery.id} delivery={delivery} chosen={chosen} />
      ))}
      <More pages={pages}>Load older deliveries</More>
    </Panel>
  );
}

const pendingAt = ({ status, nextAttemptAt, createdAt }: DeliveryRowFragment) =>
  status === 'pending' ? (nextAttemptAt ?? createdAt) : null;

function Delivery({ delivery, chosen }: { delivery: DeliveryRowFragment; chosen: Chosen }) {
  const may = useMay('webhook_manage');
  const [replay, replaying] = useChange(ReplayDeliveryDocument);
  const { id, kind, status, attempts, createdAt, nextAttemptAt, attemptLog, request } = delivery;
  const last = attemptLog.at(-1);
  return (
    <Group gap="xs" align="flex-start" wrap="nowrap">
      <ChoosingBox mt={5} chosen={chosen} id={id} name={kind} />
      <details className="frame" style={{ flex: 1, minWidth: 0 }}>
        <summary>
          <Group gap="xs" display="inline-flex" maw="calc(100% - 20px)">
            <Badge color={COLOURS[status]}>{STATUSES[status]}</Badge>
            <span className="mono">{kind}</span>
            <Muted size="xs" span>
              <When at={createdAt} />, {counted(attempts, 'attempt')}
              {last && status !== 'delivered' ? `, last: ${outcomeOf(last)}` : ''}
              {nextAttemptAt && status === 'pending' ? ', next ' : ''}
              {nextAttemptAt && status === 'pending' ? <When at={nextAttemptAt} /> : null}
            </Muted>
          </Group>
        </summary>
        <Attempts attempts={attemptLog} body={request?.body ?? null} />
        <Group mt={6}>
          <Permitted
            may={may}
            variant="default"
            size="compact-xs"
            loading={replaying}
            onClick={() => replay({ ids: [id] }, 'Replaying.')}
          >
            Replay
          </Permitted>
        </Group>
      </details>
    </Group>
  );
}
