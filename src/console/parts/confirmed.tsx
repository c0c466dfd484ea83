import { Alert, Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ComponentProps, type ReactNode, useState } from 'react';
import type { CombinedError } from 'urql';
import { messageOf } from '../data/failures.js';
import { Dialog } from './dialog.js';
import { Permitted } from './permitted.js';

/** How a change ended. */
export interface Attempt {
  error?: CombinedError | undefined;
}

interface ConfirmedProps extends Omit<ComponentProps<typeof Permitted>, 'onClick' | 'children'> {
  /** The label of the button and the verb of the question. */
  action: string;
  /** The object of the question, as in "the key shop". */
  what: string;
  /** The consequences, shown before confirming. */
  goesAlong: readonly ReactNode[];
  /** Nothing is destroyed, so the confirm button isn't red. */
  isMild?: boolean;
  /** Runs the action; the dialog stays open until it succeeds, and shows why it failed. */
  run: () => Promise<Attempt>;
}

/** A button for an action that can't be undone or that people notice at once: it lists the consequences and asks to confirm. */
export function Confirmed({ action, what, goesAlong, isMild = false, run, ...button }: ConfirmedProps) {
  const [isAsking, { open, close }] = useDisclosure(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<CombinedError>();
  const ask = () => {
    setError(undefined);
    open();
  };
  const go = async () => {
    setBusy(true);
    const { error: failure } = await run();
    setBusy(false);
    setError(failure);
    if (!failure) close();
  };
  return (
    <>
      <Permitted {...button} onClick={ask}>
        {action}
      </Permitted>
      <Dialog isOpen={isAsking} onClose={close} title={asQuestion(`${action} ${what}`)}>
        <Stack gap="sm">
          <ul className="consequences">
            {goesAlong.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines stay in their places
              <li key={at}>{line}</li>
            ))}
          </ul>
          {error && (
            <Alert color="red" role="alert" p="xs">
              {messageOf(error)}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button color={isMild ? undefined : 'red'} onClick={go} loading={isBusy}>
              {action}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}

/** As a question. A name may end with a question mark itself. */
const asQuestion = (words: string): string => (/\?\u2069?$/.test(words) ? words : `${words}?`);

/** The same in small red letters, for rows, named after its row: what the action removes is lost, or stops working. */
export const ConfirmedLoss = (props: ConfirmedProps) => (
  <Confirmed variant="subtle" color="red" size="compact-xs" aria-label={`${props.action} ${props.what}`} {...props} />
);
