import { Group, Text } from '@mantine/core';
import { HookDeadLettersDocument, ReplayDeadLetterDocument, ReplayDeadLettersDocument } from '#documents';
import { useMay, useScope } from '../app/scope.js';
import { useChange } from '../data/use-document.js';
import { usePages } from '../data/use-pages.js';
import { Panel } from '../parts/page.js';
import { Permitted } from '../parts/permitted.js';
import { WaitingRows } from '../parts/states.js';
import { When } from '../parts/when.js';

/** What was given up; it is kept for thirty days and can be sent again, one or all. */
export function DeadLetters({ subscriptionId }: { subscriptionId: string }) {
  const { projectId } = useScope();
  const may = useMay('webhook_manage');
  const [replay] = useChange(ReplayDeadLetterDocument);
  const [replayAll, replaying] = useChange(ReplayDeadLettersDocument);
  const pages = usePages(HookDeadLettersDocument, { projectId, subscriptionId }, ({ deadLetters }) => deadLetters);
  return (
    <Panel
      title="Given up"
      aside={
        pages.rows.length > 0 && (
          <Permitted
            may={may}
            variant="default"
            loading={replaying}
            onClick={() => replayAll({ input: { projectId, subscriptionId } }, 'All of them are sent again.')}
          >
            Send all again
          </Permitted>
        )
      }
    >
      {!pages.isKnown && <WaitingRows rows={3} />}
      {pages.isKnown && pages.rows.length === 0 && (
        <Text size="sm" c="dimmed">
          Nothing was given up in the last 30 days.
        </Text>
      )}
      {pages.rows.map(({ id, kind, attempts, diedAt, reasonCode }) => (
        <Group key={id} justify="space-between" className="frame" wrap="nowrap">
          <Text size="sm">
            <span className="mono">{kind}</span>{' '}
            <span className="soft">
              {reasonCode.replaceAll('_', ' ')} after {attempts} attempts, <When at={diedAt} />
            </span>
          </Text>
          <Permitted may={may} variant="default" size="compact-xs" onClick={() => replay({ id }, 'It is sent again.')}>
            Send again
          </Permitted>
        </Group>
      ))}
    </Panel>
  );
}
