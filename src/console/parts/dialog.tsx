import { Modal, type ModalProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { createStore } from '../data/store.js';
import { useKeptFocus } from './focus/use-kept-focus.js';

/** The open dialogs, topmost last. Each receives Escape itself, and only the topmost may act on it. */
const open = createStore<readonly string[]>([]);

export const isDialogOpen = (): boolean => open.get().length > 0;

const focusPage = () => document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });

interface DialogProps extends Pick<ModalProps, 'size'> {
  title: string;
  isOpen?: boolean;
  /** Neither Escape nor a click outside closes it. */
  isFirm?: boolean;
  withCloseButton?: boolean;
  /** Its fields describe themselves, so screen readers don't read all of them as it opens. */
  isForm?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A window over the page, or over another dialog. Until it opens for the first time it costs nothing: every row of a list may have one. */
export function Dialog({ isOpen = true, ...rest }: DialogProps) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return wasOpen && <Opened isOpen={isOpen} {...rest} />;
}

function Opened(props: DialogProps & { isOpen: boolean }) {
  const { title, isOpen, isFirm = false, withCloseButton = true, isForm = false, children, ...rest } = props;
  const id = useId();
  useEffect(() => {
    if (!isOpen) return undefined;
    open.set([...open.get(), id]);
    return () => open.set(open.get().filter((one) => one !== id));
  }, [id, isOpen]);
  // The library restores focus only for dialogs that were mounted before they opened and stay so after closing.
  const [opener] = useState(document.activeElement);
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      const now = document.activeElement;
      const isLost = now === document.body || root.current?.contains(now);
      if (!isLost) return;
      if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
      // The finder, or a row, that opened it may be gone.
      if (document.activeElement !== opener || opener === document.body) focusPage();
    };
  }, [isOpen, opener]);
  const isTop = open.use().at(-1) === id;
  const ref = useMergedRef(root, useKeptFocus(isTop));
  return (
    <Modal.Root ref={ref} opened={isOpen} closeOnEscape={isTop && !isFirm} closeOnClickOutside={!isFirm} {...rest}>
      <Modal.Overlay />
      <Modal.Content>
        <Modal.Header>
          <Modal.Title>
            <span className="dialog-title">{title}</span>
          </Modal.Title>
          {withCloseButton && <Modal.CloseButton aria-label="Close" />}
        </Modal.Header>
        {isForm ? <div className="dialog-form">{children}</div> : <Modal.Body>{children}</Modal.Body>}
      </Modal.Content>
    </Modal.Root>
  );
}
