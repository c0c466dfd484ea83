import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { AlertDeliveriesDocument, type AlertDeliveriesQuery } from '#documents';
import { scopePath, useMay, useScope } from '../data/scope.js';
import { useDocument } from '../data/use-document.js';

type Delivery = NonNullable<AlertDeliveriesQuery['webhookDeliveries']>['nodes'][number];

const LOOK_EVERY_MS = 1_000;
const LOOK_FOR_MS = 60_000;

/** What became of a test: each webhook that it went to, with the last answer. */
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
        <Text size="xs" c="dimmed">
          {mayLook
            ? 'The test is sent. No webhook has got it so far; one that listens to catch.alert.fired does within seconds.'
            : 'The test is sent to the webhooks that listen to catch.alert.fired; an admin sees what they answered.'}
        </Text>
      )}
    </div>
  );
}

function Outcome({ delivery: { status, attemptLog, subscription } }: { delivery: Delivery }) {
  const scope = useScope();
  const last = attemptLog.at(-1);
  const answer = last ? (last.status ?? last.failure) : null;
  return (
    <Text size="xs" className={status === 'dead' || last?.failure ? 'bad' : 'soft'}>
      Test{' '}
      {subscription && (
        <>
          to{' '}
          <Anchor component={Link} to={scopePath(scope, 'webhooks', subscription.id)} inherit>
            {subscription.url}
          </Anchor>
        </>
      )}
      : {status === 'pending' && answer === null ? 'on its way' : status}
      {answer === null ? '' : `, the answer was ${answer}`}
    </Text>
  );
}
