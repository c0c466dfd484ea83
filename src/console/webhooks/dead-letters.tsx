import { Group, Select, Text } from '@mantine/core';
import { useState } from 'react';
import { HookDeadLettersDocument, ReplayDeadLetterDocument, ReplayDeadLettersDocument } from '#documents';
import { useMay, useScope } from '../data/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { Confirmed } from '../parts/confirmed.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { More } from '../parts/rows/more.js';
import { counted } from '../parts/short-numbers.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';
import { Attempts } from './attempts.js';

const HOUR_MS = 3_600_000;
const SINCE: Readonly<Record<string, number | null>> = {
  'of the last hour': HOUR_MS,
  'of the last day': 24 * HOUR_MS,
  'of the last week': 168 * HOUR_MS,
  'of all 30 days': null,
};

/** What was given up; it is kept for thirty days and can be sent again, one, or all since a time. */
export function DeadLetters({ subscriptionId }: { subscriptionId: string }) {
  const { projectId } = useScope();
  const may = useMay('webhook_manage');
  const [span, setSpan] = useState('of all 30 days');
  const [replay] = useChange(ReplayDeadLetterDocument);
  const [replayAll] = useChange(ReplayDeadLettersDocument);
  const pages = usePages(HookDeadLettersDocument, { projectId, subscriptionId }, ({ deadLetters }) => deadLetters);
  const milliseconds = SINCE[span];
  const since = milliseconds ? { since: new Date(Date.now() - milliseconds).toISOString() } : {};
  return (
    <Panel
      title="Given up"
      aside={
        pages.rows.length > 0 && (
          <Group gap="xs">
            <Select
              aria-label="Which to send again"
              data={Object.keys(SINCE)}
              value={span}
              onChange={(next) => next && setSpan(next)}
              w={150}
            />
            <Confirmed
              may={may}
              variant="default"
              action="Send again"
              what={`what was given up ${span}`}
              goesAlong={[
                'They go out in their order, each with the id that it had, so that receivers can drop repeats.',
              ]}
              run={() => replayAll({ input: { projectId, subscriptionId, ...since } }, 'They are sent again.')}
            />
          </Group>
        )
      }
    >
      {!pages.isKnown && <WaitingRows rows={3} error={pages.error} />}
      {pages.isKnown && pages.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing was given up in the last 30 days.
        </Text>
      )}
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
            <Permitted
              may={may}
              variant="default"
              size="compact-xs"
              onClick={() => replay({ id }, 'It is sent again.')}
            >
              Send again
            </Permitted>
          </Group>
        </details>
      ))}
      <More pages={pages}>Older ones</More>
    </Panel>
  );
}
