import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Dialog } from './dialog.js';
import { Permitted } from './permitted.js';

interface ConfirmedProps extends Omit<ComponentProps<typeof Permitted>, 'onClick' | 'children'> {
  /** The label of the button and the verb of the question. */
  action: string;
  /** The object of the question, as in "the key shop". */
  what: string;
  /** The consequences, shown before confirming. */
  goesAlong: readonly ReactNode[];
  /** Nothing is destroyed, so the confirm button isn't red. */
  isMild?: boolean;
  /** Runs the action; the dialog stays open until it resolves. */
  run: () => Promise<unknown>;
}

/** A button for an action that can't be undone or that people notice at once: it lists the consequences and asks to confirm. */
export function Confirmed({ action, what, goesAlong, isMild = false, run, ...button }: ConfirmedProps) {
  const [isAsking, { open, close }] = useDisclosure(false);
  const [isBusy, setBusy] = useState(false);
  const go = async () => {
    setBusy(true);
    await run();
    setBusy(false);
    close();
  };
  return (
    <>
      <Permitted {...button} onClick={open}>
        {action}
      </Permitted>
      <Dialog isOpen={isAsking} onClose={close} title={`${action} ${what}?`}>
        <Stack gap="sm">
          <ul className="consequences">
            {goesAlong.map((line, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines stay in their places
              <li key={at}>{line}</li>
            ))}
          </ul>
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

/** The same in small red letters, for rows: what the action removes is lost, or stops working. */
export const ConfirmedLoss = (props: ConfirmedProps) => (
  <Confirmed variant="subtle" color="red" size="compact-xs" {...props} />
);
