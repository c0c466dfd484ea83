import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import { HookDeadLettersDocument, ReplayDeadLetterDocument, ReplayDeadLettersDocument } from '#documents';
import { notify, notifyFailure } from '../data/notify.js';
import { useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { DAY_MS, HOUR_MS } from '../parts/charts/durations.js';
import { Confirmed } from '../parts/confirmed.js';
import { ChoiceSelect } from '../parts/fields/choices.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { More } from '../parts/rows/more.js';
import { NoRows } from '../parts/rows/no-rows.js';
import { counted } from '../parts/short-numbers.js';
import { When } from '../parts/when.js';
import { Attempts } from './attempts.js';

const SINCE: Readonly<Record<string, number | null>> = {
  'last hour': HOUR_MS,
  'last day': DAY_MS,
  'last week': 7 * DAY_MS,
  'all 30 days': null,
};

/** Failed deliveries, kept for 30 days. Replay one, or all since a point in time. */
export function DeadLetters({ subscriptionId }: { subscriptionId: string }) {
  const { projectId } = useScope();
  const may = useMay('webhook_manage');
  const [span, setSpan] = useState('all 30 days');
  const [replay] = useChange(ReplayDeadLetterDocument);
  const [replayAll] = useChange(ReplayDeadLettersDocument, { quiet: true });
  const pages = usePages(HookDeadLettersDocument, { projectId, subscriptionId }, ({ deadLetters }) => deadLetters);
  const milliseconds = SINCE[span];
  const since = milliseconds ? { since: new Date(Date.now() - milliseconds).toISOString() } : {};
  return (
    <Panel
      title="Dead letters"
      aside={
        pages.rows.length > 0 && (
          <Group gap="xs">
            <ChoiceSelect
              aria-label="Dead letters to replay"
              choices={Object.keys(SINCE)}
              value={span}
              onChange={setSpan}
              w={150}
            />
            <Confirmed
              may={may}
              variant="default"
              action="Replay"
              what={`dead letters (${span})`}
              goesAlong={["They're sent in order with their original ids, so receivers can ignore duplicates."]}
              run={async () => {
                const answered = await replayAll({ input: { projectId, subscriptionId, ...since } });
                const replayed = answered.data?.replayDeadLetters;
                if (replayed && replayed.kept > 0) notifyFailure('This webhook is disabled. Enable it, then replay.');
                else if (replayed) notify(`Replaying ${counted(replayed.count, 'dead letter')}.`);
                return answered;
              }}
            />
          </Group>
        )
      }
    >
      <NoRows pages={pages}>No dead letters in the last 30 days.</NoRows>
      {pages.rows.map(({ id, kind, attempts, diedAt, reasonCode, attemptLog, request }) => (
        <details key={id} className="frame">
          <summary>
            <Text size="sm" span>
              <span className="mono">{kind}</span>{' '}
              <span className="soft">
                {reasonCode.replaceAll('_', ' ')} after {counted(attempts, 'attempt')}, <When at={diedAt} />
              </span>
            </Text>
          </summary>
          <Attempts attempts={attemptLog} body={request?.body ?? null} />
          <Group mt={6}>
            <Permitted may={may} variant="default" size="compact-xs" onClick={() => replay({ id }, 'Replaying.')}>
              Replay
            </Permitted>
          </Group>
        </details>
      ))}
      <More pages={pages}>Load older dead letters</More>
    </Panel>
  );
}
