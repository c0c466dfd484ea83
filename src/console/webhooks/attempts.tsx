import { Badge, Group, Text } from '@mantine/core';
import type { DeliveryRowFragment } from '#documents';
import { noResponseInWords } from '../data/failures.js';
import { parsedOr } from '../parts/fields/typed-values.js';
import { capitalized, Muted } from '../parts/text.js';
import { When } from '../parts/when.js';

interface AttemptsProps {
  attempts: DeliveryRowFragment['attemptLog'];
  /** The body of every attempt. */
  body: string | null;
}

/** What became of an attempt: the status of the response, or why there was none. */
export const outcomeOf = ({ status, failure }: Pick<AttemptsProps['attempts'][number], 'status' | 'failure'>) =>
  status ?? (failure && noResponseInWords(failure));

export function Attempts({ attempts, body }: AttemptsProps) {
  return (
    <>
      {attempts.map(({ number, at, status, failure, latencyMs, answer }) => (
        <div key={number}>
          <Group gap={6} mt={8}>
            <Text size="xs">
              {number}. <When at={at} />, after {latencyMs.toLocaleString('en')} ms
            </Text>
            <Badge color={status !== null && status < 300 && failure === null ? 'teal' : 'red'}>
              {capitalized(String(outcomeOf({ status, failure }) ?? ''))}
            </Badge>
          </Group>
          {answer && <pre className="code">{answer}</pre>}
        </div>
      ))}
      <Muted size="xs" mt={8}>
        Request body (each attempt has its own signature)
      </Muted>
      <pre className="code">{body === null ? 'This event is past its retention period.' : readable(body)}</pre>
    </>
  );
}

function readable(body: string): string {
  const value = parsedOr(body, undefined);
  return value === undefined ? body : JSON.stringify(value, null, 2);
}
