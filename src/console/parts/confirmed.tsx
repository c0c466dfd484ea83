import { Button, Group, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Dialog } from './dialog.js';
import { Permitted } from './permitted.js';

interface ConfirmedProps extends Omit<ComponentProps<typeof Permitted>, 'onClick' | 'children'> {
  /** What the button says, here and in the question. */
  action: string;
  /** What it is done to, as "the key shop". */
  what: string;
  /** What goes along with it; said before it is done. */
  goesAlong: readonly ReactNode[];
  /** Nothing ends by it: the button that does it is not red. */
  isMild?: boolean;
  /** Does it; what it answers is awaited before the question goes away. */
  run: () => Promise<unknown>;
}

/** A button for what cannot be taken back, or what people notice at once: it says what goes along, and asks. */
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
