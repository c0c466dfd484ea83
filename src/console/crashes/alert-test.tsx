import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { AlertDeliveriesDocument, type AlertDeliveriesQuery } from '#documents';
import { noResponseInWords } from '../data/failures.js';
import { useMay, useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';
import { Muted, PageLink } from '../parts/text.js';

type Delivery = NonNullable<AlertDeliveriesQuery['webhookDeliveries']>['nodes'][number];

const LOOK_EVERY_MS = 1_000;
const LOOK_FOR_MS = 60_000;

/** The outcome of a test: each webhook it went to, with its last response. */
export function AlertTest({ eventId }: { eventId: string }) {
  const { projectId } = useScope();
  const mayLook = useMay('webhook_view');
  const { data, refetch } = useDocument(AlertDeliveriesDocument, { projectId }, { pause: !mayLook });
  const deliveries = data?.webhookDeliveries?.nodes.filter((delivery) => delivery.eventId === eventId) ?? [];
  const isOver = deliveries.length > 0 && deliveries.every(({ status }) => status !== 'pending');
  useEffect(() => {
    if (!mayLook || isOver) return;
    const look = setInterval(() => refetch({ requestPolicy: 'network-only' }), LOOK_EVERY_MS);
    const end = setTimeout(() => clearInterval(look), LOOK_FOR_MS);
    return () => {
      clearInterval(look);
      clearTimeout(end);
    };
  }, [mayLook, isOver, refetch]);
  return (
    <div role="status">
      {deliveries.map((delivery) => (
        <Outcome key={delivery.id} delivery={delivery} />
      ))}
      {deliveries.length === 0 && (
        <Muted size="xs">
          {mayLook
            ? 'Test sent. No webhook has received it yet. Those that listen to catch.alert.fired get it within seconds.'
            : 'Test sent to the webhooks that listen to catch.alert.fired. An admin can see how they responded.'}
        </Muted>
      )}
    </div>
  );
}

function Outcome({ delivery: { status, attemptLog, subscription } }: { delivery: Delivery }) {
  const last = attemptLog.at(-1);
  const answer = last ? (last.status ?? (last.failure && noResponseInWords(last.failure))) : null;
  return (
    <Text size="xs" className={status === 'dead' || last?.failure ? 'bad' : 'soft'}>
      Test{' '}
      {subscription && (
        <>
          to <PageLink to={['webhooks', subscription.id]}>{subscription.url}</PageLink>
        </>
      )}
      : {status === 'pending' && answer === null ? 'sending' : status}
      {answer === null ? '' : `, response: ${answer}`}
    </Text>
  );
}
