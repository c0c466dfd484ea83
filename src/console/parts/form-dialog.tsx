import { Alert, Button, Group, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CombinedError } from 'urql';
import { fieldFaults, messageOf } from '../data/failures.js';
import type { Changed } from '../data/use-document.js';
import { Dialog } from './dialog.js';
import { Permitted } from './permitted.js';
import { FieldFaults } from './states.js';

interface FormDialogProps<Answer extends Promise<Changed<unknown>>> {
  title: string;
  /** The label of the submit button. */
  action: string;
  /** The submit button is red. */
  isGrave?: boolean;
  isWide?: boolean;
  may?: boolean;
  /** Why the viewer can't submit, if something other than their role prevents it. */
  because?: string;
  /** The field to show a refusal at if it names none. */
  main?: string;
  /** Saves the form. On refusal the dialog stays open and shows the errors at their fields. */
  save: () => Answer;
  onClose: () => void;
  /** Called after a successful save; without it the dialog closes. */
  onSaved?: (data: NonNullable<Awaited<Answer>['data']>) => void;
  /** Extra actions at the other end of the button row. */
  aside?: ReactNode;
  /** The fields; each looks up its error by the server's field name. */
  children: (faultOf: (field: string) => string | undefined) => ReactNode;
}

/** A form in a dialog, with field errors, a prompt before unsaved input is lost, and submit by button or Ctrl+Enter. */
export function FormDialog<Answer extends Promise<Changed<unknown>>>(props: FormDialogProps<Answer>) {
  const {
    title,
    action,
    isGrave = false,
    isWide = false,
    may = true,
    because,
    main,
    save,
    onClose,
    onSaved,
    aside,
    children,
  } = props;
  const [error, setError] = useState<CombinedError>();
  const [isBusy, setBusy] = useState(false);
  /** Unsaved input, kept outside the render because leaving can follow in the same tick. */
  const isKept = useRef(true);
  const isSending = useRef(false);
  useBlocker({
    shouldBlockFn: () => !isKept.current && !mayLose(),
    enableBeforeUnload: () => !isKept.current,
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    const { currentTarget: form } = event;
    event.preventDefault();
    event.stopPropagation();
    if (!may || isSending.current) return;
    isSending.current = true;
    setBusy(true);
    const { data, error: failure } = await save();
    isSending.current = false;
    flushSync(() => {
      setBusy(false);
      setError(failure);
    });
    if (failure) {
      form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
      return;
    }
    isKept.current = true;
    if (onSaved) onSaved(data as NonNullable<Awaited<Answer>['data']>);
    else onClose();
  };
  const leave = () => {
    if (!isKept.current && !mayLose()) return;
    isKept.current = true;
    onClose();
  };
  const sendByKey = (event: KeyboardEvent<HTMLFormElement>) => {
    const { currentTarget: form, target, key, metaKey, ctrlKey } = event;
    if (key !== 'Enter' || !(metaKey || ctrlKey) || !form.contains(target as Node)) return;
    // The same key press just added a value to a multi-value field, which is included after the next render.
    flushSync(() => undefined);
    form.requestSubmit();
  };
  const edit = () => {
    isKept.current = false;
  };
  const editByClick = ({ target }: MouseEvent) => {
    if ((target as Element).closest('button, [role=option]')) edit();
  };
  const faults = error ? faultsOf(error, main) : {};
  const shown = new Set<string>();
  const fields = children((field) => {
    shown.add(field);
    return faults[field];
  });
  const others = Object.entries(faults).filter(([field]) => !shown.has(field));
  return (
    <Dialog isForm onClose={leave} size={isWide ? 'lg' : 'md'} title={title}>
      <form onSubmit={submit} onKeyDown={sendByKey}>
        <Stack gap="sm">
          {/* No prompt when the dialog closes because its input was saved. */}
          <fieldset
            disabled={isBusy}
            className="bare"
            onInput={edit}
            onPaste={edit}
            onClick={editByClick}
            onKeyDown={({ key }) => key === 'Backspace' && edit()}
          >
            <Stack gap="sm">{fields}</Stack>
          </fieldset>
          {error && (Object.keys(faults).length === 0 || others.length > 0) && (
            <Alert color="red" role="alert" p="xs">
              {others.length > 0 ? <FieldFaults faults={others} /> : messageOf(error)}
            </Alert>
          )}
          <Group justify={aside ? 'space-between' : 'flex-end'}>
            {aside}
            <Group gap="xs">
              <Button variant="default" onClick={leave}>
                Cancel
              </Button>
              <Permitted may={may} because={because} type="submit" loading={isBusy} color={isGrave ? 'red' : undefined}>
                {action}
              </Permitted>
            </Group>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Error messages by field; a lost connection belongs to none. */
function faultsOf(error: CombinedError, main: string | undefined): Record<string, string> {
  const faults = fieldFaults(error);
  if (Object.keys(faults).length > 0 || main === undefined || error.networkError) return faults;
  return { [main]: messageOf(error) };
}

const mayLose = (): boolean => window.confirm('Close without saving what you typed?');
