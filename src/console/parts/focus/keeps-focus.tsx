import type { ComponentPropsWithoutRef, ReactElement } from 'react';

type Given = ComponentPropsWithoutRef<'button'> & { 'data-loading'?: boolean };

/**
 * For `renderRoot` of a button that shows that it is under way: it does nothing meanwhile, and is not disabled, for which browsers take the focus
 * from it.
 */
export function keepsFocus({ 'data-loading': isBusy, disabled, onClick, ...rest }: Given): ReactElement {
  return (
    <button
      {...rest}
      data-loading={isBusy}
      disabled={disabled && !isBusy}
      aria-disabled={isBusy || rest['aria-disabled']}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  );
}
