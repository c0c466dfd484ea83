import type { ComponentPropsWithoutRef, ReactElement } from 'react';

type Given = ComponentPropsWithoutRef<'button'> & { 'data-loading'?: boolean };

/**
 * For `renderRoot` of a button that a press keeps busy, or brings to where it can do no more, as to the end of a list: it does nothing then, and is
 * not disabled, for which browsers take the focus from it.
 */
export function keepsFocus({ 'data-loading': isBusy, disabled, onClick, ...rest }: Given): ReactElement {
  const isIdle = isBusy || disabled;
  return (
    <button
      {...rest}
      data-loading={isBusy}
      aria-disabled={isIdle || rest['aria-disabled']}
      onClick={isIdle ? (event) => event.preventDefault() : onClick}
    />
  );
}
