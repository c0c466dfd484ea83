import type { ComponentPropsWithoutRef, ReactElement } from 'react';

type Given = ComponentPropsWithoutRef<'button'> & { 'data-loading'?: boolean };

/**
 * For `renderRoot` of a button that becomes busy or unusable when pressed, such as at the end of a list: it then does
 * nothing instead of being disabled, because browsers take focus from disabled buttons.
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
